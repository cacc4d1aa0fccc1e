import * as real from 'node:crypto';
import { playing } from '../simulation.ts';

export * from 'node:crypto';

/** Random bytes of the story's own generator. */
export function randomBytes(size: number): Buffer {
  const simulation = playing();
  if (simulation === null) return real.randomBytes(size);
  return Buffer.from(Array.from({ length: size }, () => simulation.whole(256)));
}

export function randomUUID(): string {
  if (playing() === null) return real.randomUUID();
  const bytes = randomBytes(16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
