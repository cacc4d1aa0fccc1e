import { z } from 'zod';

/**
 * Files of tensors in the format of Hugging Face (https://github.com/huggingface/safetensors): the header's length in 8
 * bytes, a header in JSON, the tensors one after the other without a gap, little-endian.
 */
export type Tensor = {
  [D in keyof Numbers]: { readonly dtype: D; readonly shape: readonly number[]; readonly data: Numbers[D] };
}[keyof Numbers];

/** Arrays by their type. The format's other types are not used here. */
export interface Numbers {
  F64: Float64Array;
  F32: Float32Array;
  I32: Int32Array;
  U8: Uint8Array;
}
const ARRAYS = { F64: Float64Array, F32: Float32Array, I32: Int32Array, U8: Uint8Array } as const;

interface TensorFile {
  readonly tensors: ReadonlyMap<string, Tensor>;
  /** The `__metadata__` of the header. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** The content of the file contradicts its header. The message says what is wrong. */
export class SafetensorsError extends Error {
  override readonly name = 'SafetensorsError';
}

const LENGTH_BYTES = 8;
/** The largest header. The reference implementation allows 100 MB. */
const MAX_HEADER_BYTES = 16 * 1024 * 1024;
const METADATA = '__metadata__';

const Size = z.int().nonnegative();
const Entry = z.strictObject({
  dtype: z.enum(Object.keys(ARRAYS) as (keyof Numbers)[]),
  shape: z.array(Size).max(8),
  data_offsets: z.tuple([Size, Size]),
});
type Entry = z.output<typeof Entry>;
const Metadata = z.record(z.string(), z.string());

/**
 * Encodes a file. Tensors with larger numbers come first, otherwise in the given order, so that each begins at a
 * multiple of its number's size.
 *
 * @throws {RangeError} if a tensor's shape does not fit its numbers.
 */
export function encodeSafetensors({ tensors, metadata }: TensorFile): Uint8Array<ArrayBuffer> {
  const ordered = [...tensors].sort(([, a], [, b]) => b.data.BYTES_PER_ELEMENT - a.data.BYTES_PER_ELEMENT);
  const entries: [string, unknown][] = [[METADATA, metadata]];
  let end = 0;
  for (const [name, { dtype, shape, data }] of ordered) {
    if (name === METADATA || sizeOf(shape) !== data.length) {
      throw new RangeError(
        `tensor ${name}: ${data.length} numbers do not fit the shape [${shape.join(', ')}]`,
      );
    }
    entries.push([name, { dtype, shape, data_offsets: [end, (end += data.byteLength)] }]);
  }
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const headerBytes = Math.ceil(text.length / LENGTH_BYTES) * LENGTH_BYTES;
  const bytes = new Uint8Array(LENGTH_BYTES + headerBytes + end);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(headerBytes), true);
  bytes.set(text, LENGTH_BYTES);
  bytes.fill(SPACE, LENGTH_BYTES + text.length, LENGTH_BYTES + headerBytes);
  let at = LENGTH_BYTES + headerBytes;
  for (const [, { data }] of ordered) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return bytes;
}

const SPACE = 0x20;

/**
 * Decodes the tensors, in the order of their bytes, each in a buffer of its own. No bytes may overlap or be left over.
 *
 * @throws {SafetensorsError} for anything else.
 */
export function decodeSafetensors(bytes: Uint8Array): TensorFile {
  const { header, dataAt } = readHeader(bytes);
  const { [METADATA]: metadata = {}, ...described } = header;
  const entries = Object.entries(described)
    .map(([name, entry]) => [name, checked(Entry, entry, `tensor ${name}`)] as const)
    .sort(([, a], [, b]) => a.data_offsets[0] - b.data_offsets[0] || a.data_offsets[1] - b.data_offsets[1]);
  const tensors = new Map<string, Tensor>();
  let end = 0;
  for (const [name, entry] of entries) {
    const [from, to] = entry.data_offsets;
    if (from !== end) throw new SafetensorsError(`tensor ${name} starts at byte ${from} instead of ${end}`);
    if (to - from !== sizeOf(entry.shape) * ARRAYS[entry.dtype].BYTES_PER_ELEMENT) {
      throw new SafetensorsError(
        `tensor ${name}: ${to - from} bytes do not fit [${entry.shape.join(', ')}] of ${entry.dtype}`,
      );
    }
    if (to > bytes.length - dataAt)
      throw new SafetensorsError(`tensor ${name} ends after the end of the file`);
    const { dtype, shape } = entry;
    const { buffer } = new Uint8Array(bytes.subarray(dataAt + from, dataAt + to));
    tensors.set(name, { dtype, shape, data: new ARRAYS[dtype](buffer) } as Tensor);
    end = to;
  }
  if (end !== bytes.length - dataAt) {
    throw new SafetensorsError(`${bytes.length - dataAt - end} bytes do not belong to any tensor`);
  }
  return { tensors, metadata: checked(Metadata, metadata, METADATA) };
}

function readHeader(bytes: Uint8Array): { header: Record<string, unknown>; dataAt: number } {
  if (bytes.length < LENGTH_BYTES)
    throw new SafetensorsError(`a file of ${bytes.length} bytes is too short for tensors`);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  if (length > BigInt(Math.min(MAX_HEADER_BYTES, bytes.length - LENGTH_BYTES))) {
    throw new SafetensorsError(`a header of ${length} bytes does not fit in a file of ${bytes.length} bytes`);
  }
  const dataAt = LENGTH_BYTES + Number(length);
  let header: unknown;
  try {
    header = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(LENGTH_BYTES, dataAt)),
    );
  } catch (error) {
    throw new SafetensorsError('the header is not JSON', { cause: error });
  }
  if (typeof header !== 'object' || header === null || Array.isArray(header)) {
    throw new SafetensorsError('the header is not a JSON object');
  }
  return { header: header as Record<string, unknown>, dataAt };
}

/** Validates a value of the file. @throws {SafetensorsError} if it does not match the schema. */
export function checked<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new SafetensorsError(`${what}: ${[...issue!.path, issue!.message].join(' ')}`);
}

/** The count of numbers in a tensor of this shape. */
const sizeOf = (shape: readonly number[]): number => shape.reduce((size, length) => size * length, 1);
