const VARINT = 0;
const BYTES = 2;
const FIXED32 = 5;

/**
 * Writes one message of the protocol buffers wire format, field by field.
 * (https://protobuf.dev/programming-guides/encoding/)
 */
export class Message {
  #buffer = new Uint8Array(256);
  #length = 0;

  /** An int32, int64 or enum; negative ones as two's complement of 64 bits. */
  integer(field: number, value: number): this {
    return this.#tag(field, VARINT).#varint(value);
  }

  float(field: number, value: number): this {
    this.#tag(field, FIXED32).#reserve(4);
    new DataView(this.#buffer.buffer).setFloat32(this.#length, value, true);
    this.#length += 4;
    return this;
  }

  string(field: number, text: string): this {
    return this.bytes(field, new TextEncoder().encode(text));
  }

  message(field: number, message: Message): this {
    return this.bytes(field, message.encoded());
  }

  bytes(field: number, bytes: Uint8Array): this {
    this.#tag(field, BYTES).#varint(bytes.length).#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  encoded(): Uint8Array<ArrayBuffer> {
    return this.#buffer.slice(0, this.#length);
  }

  #tag(field: number, wireType: number): this {
    return this.#varint(field * 8 + wireType);
  }

  #varint(value: number): this {
    this.#reserve(10);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) this.#buffer[this.#length++] = Number(rest & 127n) | 128;
    this.#buffer[this.#length++] = Number(rest);
    return this;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const grown = new Uint8Array(Math.max(needed, 2 * this.#buffer.length));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}
