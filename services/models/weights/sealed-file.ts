import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readWhole } from '../../../kb/snapshot/durable-file.ts';
import {
  checked,
  decodeSafetensors,
  encodeSafetensors,
  SafetensorsError,
  type Numbers,
  type Tensor,
} from './safetensors.ts';

/** SHA-256 of a whole file, hexadecimal. */
export const contentHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const UNSEALED = '0'.repeat(64);
/**
 * The key of the checksum in the header. These bytes cannot be within a string of the JSON, where the quotes would be
 * escaped.
 */
const CHECKSUM = Buffer.from('"checksum":"');

const Metadata = z.strictObject({ checksum: z.string(), kind: z.string(), description: z.string() });

/** The kind of a sealed file, and the schema of its description. */
interface SealedKind<S extends z.ZodType> {
  readonly name: string;
  readonly description: S;
}

/**
 * Encodes a file of tensors in which a checksum covers every byte: `checksum` is the SHA-256 of the file with 64 zeros
 * in its place. The description is stored as JSON.
 *
 * @throws {z.ZodError} if the description does not fit its kind, for instance contains NaN.
 */
export function encodeSealed<S extends z.ZodType>(
  kind: SealedKind<S>,
  description: unknown,
  tensors: ReadonlyMap<string, Tensor>,
): Uint8Array<ArrayBuffer> {
  const described = JSON.stringify(kind.description.parse(description));
  const metadata = { checksum: UNSEALED, kind: kind.name, description: described };
  const bytes = encodeSafetensors({ tensors, metadata });
  bytes.set(Buffer.from(contentHash(bytes)), checksumAt(bytes));
  return bytes;
}

/**
 * The largest file: more than four times the largest network, because a checkpoint also has moments and the best
 * weights.
 */
const MAX_BYTES = 512 * 1024 * 1024;

/** The bytes of the file; `undefined` if there is none. Rejects with `SafetensorsError` if it is too large. */
export async function readSealed(file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await readWhole(file, MAX_BYTES);
  } catch (error) {
    if (error instanceof RangeError) throw new SafetensorsError(error.message, { cause: error });
    throw error;
  }
}

/**
 * Decodes a sealed file.
 *
 * @throws {SafetensorsError} if the file is damaged or of another kind, or its description does not fit.
 */
export function decodeSealed<S extends z.ZodType>(
  kind: SealedKind<S>,
  bytes: Uint8Array,
): { description: z.output<S>; tensors: ReadonlyMap<string, Tensor> } {
  const file = decodeSafetensors(bytes);
  const metadata = Metadata.safeParse(file.metadata);
  if (!metadata.success || metadata.data.kind !== kind.name) {
    throw new SafetensorsError(`not a file of ${kind.name}`);
  }
  const unsealed = new Uint8Array(bytes);
  unsealed.set(Buffer.from(UNSEALED), checksumAt(bytes));
  if (contentHash(unsealed) !== metadata.data.checksum) {
    throw new SafetensorsError('its checksum is wrong: the file was changed or damaged');
  }
  const description = checked(kind.description, parse(metadata.data.description), 'description');
  return { description, tensors: file.tensors };
}

/**
 * The numbers of a required tensor.
 *
 * @throws {SafetensorsError} if it is missing, or has another type or shape.
 */
export function numbersOf<D extends keyof Numbers>(
  tensors: ReadonlyMap<string, Tensor>,
  name: string,
  dtype: D,
  shape: readonly number[],
): Numbers[D] {
  const tensor = tensors.get(name);
  if (tensor?.dtype !== dtype || tensor.shape.join() !== shape.join()) {
    throw new SafetensorsError(`the tensor ${name} of [${shape.join(', ')}] ${dtype} is missing`);
  }
  return tensor.data as Numbers[D];
}

function checksumAt(bytes: Uint8Array): number {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(CHECKSUM);
  if (at < 0 || at + CHECKSUM.length + UNSEALED.length > bytes.length) {
    throw new SafetensorsError('it has no checksum');
  }
  return at + CHECKSUM.length;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SafetensorsError('its description is not JSON', { cause: error });
  }
}
