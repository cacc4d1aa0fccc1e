const VARINT = 0;
const BYTES = 2;
const FIXED32 = 5;

/**
 * Writes one message of the protocol buffers wire format, field by field.
 * (https://protobuf.dev/programming-guides/encoding/)
 */
export class Message {
  readonly #parts: Uint8Array[] = [];

  /** Writes an int32, int64 or enum; a negative number as two's complement of 64 bits. */
  integer(field: number, value: number): this {
    return this.#tag(field, VARINT).#varint(value);
  }

  float(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    return this.#tag(field, FIXED32).#put(bytes);
  }

  string(field: number, text: string): this {
    return this.bytes(field, new TextEncoder().encode(text));
  }

  message(field: number, message: Message): this {
    return this.bytes(field, message.encoded());
  }

  bytes(field: number, bytes: Uint8Array): this {
    return this.#tag(field, BYTES).#varint(bytes.length).#put(bytes);
  }

  encoded(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(Buffer.concat(this.#parts));
  }

  #tag(field: number, wireType: number): this {
    return this.#varint(field * 8 + wireType);
  }

  #varint(value: number): this {
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
    return this.#put(Uint8Array.of(...bytes, Number(rest)));
  }

  #put(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }
}
