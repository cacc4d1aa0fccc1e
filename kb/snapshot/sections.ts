import { createHash } from 'node:crypto';

/**
 * A file of named sections: magic, format version, SHA-256 of all that follows, the list of sections, the sections,
 * each on an 8-byte border so that typed arrays can be laid over it without a copy.
 */
const MAGIC = 'BELEGKB\n';
const HEADER_BYTES = 8 + 4 + 4 + 32;
const ALIGNMENT = 8;

/** Of the bytes' layout; another version is rebuilt, never read. What is in them, the content hash covers. */
const SNAPSHOT_VERSION = 1;

export type Section = Uint8Array | Uint32Array | Float32Array;

interface Place {
  readonly offset: number;
  readonly bytes: number;
}

/** The bytes are no snapshot of this version, or not whole. */
export class SnapshotInvalid extends Error {
  constructor(reason: string) {
    super(`not a usable snapshot: ${reason}`);
    this.name = 'SnapshotInvalid';
  }
}

export function packSections(sections: ReadonlyMap<string, Section>): Uint8Array<ArrayBuffer> {
  const places: Record<string, Place> = {};
  let offset = 0;
  for (const [name, { byteLength }] of sections) {
    places[name] = { offset, bytes: byteLength };
    offset = aligned(offset + byteLength);
  }
  const list = Buffer.from(JSON.stringify(places));
  const start = aligned(HEADER_BYTES + list.length);
  const packed = Buffer.from(new ArrayBuffer(start + offset));
  packed.write(MAGIC, 0, 'latin1');
  packed.writeUInt32LE(SNAPSHOT_VERSION, 8);
  packed.writeUInt32LE(list.length, 12);
  list.copy(packed, HEADER_BYTES);
  for (const [name, section] of sections) {
    packed.set(
      new Uint8Array(section.buffer, section.byteOffset, section.byteLength),
      start + places[name]!.offset,
    );
  }
  createHash('sha256').update(packed.subarray(HEADER_BYTES)).digest().copy(packed, 16);
  return new Uint8Array(packed.buffer);
}

/**
 * Lays typed arrays over the bytes; nothing is copied.
 *
 * @throws SnapshotInvalid for truncated, changed or foreign bytes and for another version
 */
export function unpackSections(bytes: Uint8Array<ArrayBuffer>): SectionReader {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteOffset % ALIGNMENT !== 0) throw new SnapshotInvalid('not aligned');
  if (buffer.length < HEADER_BYTES || buffer.toString('latin1', 0, 8) !== MAGIC)
    throw new SnapshotInvalid('no header');
  const version = buffer.readUInt32LE(8);
  if (version !== SNAPSHOT_VERSION) throw new SnapshotInvalid(`version ${version}`);
  const digest = createHash('sha256').update(buffer.subarray(HEADER_BYTES)).digest();
  if (!digest.equals(buffer.subarray(16, HEADER_BYTES))) throw new SnapshotInvalid('its checksum differs');
  const listBytes = buffer.readUInt32LE(12);
  const list = buffer.toString('utf8', HEADER_BYTES, HEADER_BYTES + listBytes);
  return new SectionReader(
    bytes,
    aligned(HEADER_BYTES + listBytes),
    JSON.parse(list) as Record<string, Place>,
  );
}

class SectionReader {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #start: number;
  readonly #places: Readonly<Record<string, Place>>;

  constructor(bytes: Uint8Array<ArrayBuffer>, start: number, places: Readonly<Record<string, Place>>) {
    this.#bytes = bytes;
    this.#start = start;
    this.#places = places;
  }

  bytes(name: string): Uint8Array {
    const { buffer, offset, length } = this.#place(name);
    return new Uint8Array(buffer, offset, length);
  }

  uint32(name: string): Uint32Array {
    const { buffer, offset, length } = this.#place(name);
    return new Uint32Array(buffer, offset, length / Uint32Array.BYTES_PER_ELEMENT);
  }

  float32(name: string): Float32Array {
    const { buffer, offset, length } = this.#place(name);
    return new Float32Array(buffer, offset, length / Float32Array.BYTES_PER_ELEMENT);
  }

  text(name: string): string {
    return Buffer.from(this.bytes(name)).toString('utf8');
  }

  #place(name: string): { buffer: ArrayBuffer; offset: number; length: number } {
    const place = this.#places[name];
    if (place === undefined) throw new SnapshotInvalid(`the section ${name} is missing`);
    return {
      buffer: this.#bytes.buffer,
      offset: this.#bytes.byteOffset + this.#start + place.offset,
      length: place.bytes,
    };
  }
}

function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}
