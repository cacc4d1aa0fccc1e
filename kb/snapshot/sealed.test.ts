import { expect, test, vi } from 'vitest';

import { inShortTurns } from '../steps.ts';
import { Damaged, Sealed, sealing } from './sealed.ts';
import { BytesInMemory } from './stored-bytes.ts';

const PARTS = ['erster', '', 'zweiter Teil', 'dritter'].map((text) => new Uint8Array(Buffer.from(text)));
const WHOLE = Buffer.concat([...sealing('abc', PARTS)]);
const HEADER = 256;
const open = (bytes: Uint8Array) => Sealed.open(new BytesInMemory([bytes]));

test('parts are read in any order, at once too', async () => {
  const sealed = await open(WHOLE);
  expect([sealed.hash, sealed.count]).toEqual(['abc', 4]);
  for (const number of [3, 0, 1, 2]) {
    expect(await inShortTurns(sealed.part(number))).toEqual(PARTS[number]);
    expect(new Uint8Array(sealed.partNow(number))).toEqual(PARTS[number]);
  }
  await inShortTurns(sealed.checking());
});

test('a damaged part is refused, and the others are read', async () => {
  const bytes = Uint8Array.from(WHOLE);
  bytes[HEADER + PARTS[0]!.length]! ^= 1;
  const sealed = await open(bytes);
  expect(await inShortTurns(sealed.part(0))).toEqual(PARTS[0]);
  expect(() => sealed.partNow(2)).toThrow(Damaged);
  await expect(inShortTurns(sealed.part(2))).rejects.toThrow(Damaged);
  await expect(inShortTurns(sealed.checking())).rejects.toThrow(Damaged);
});

test('parts that the system does not give are damaged, and it says why', async () => {
  const bytes = new BytesInMemory([WHOLE]);
  const sealed = await Sealed.open(bytes);
  const lost = Object.assign(new Error('stale file handle'), { code: 'ESTALE' });
  vi.spyOn(bytes, 'read').mockRejectedValue(lost);
  await expect(Sealed.open(bytes)).rejects.toThrow(Damaged);
  await expect(inShortTurns(sealed.part(0))).rejects.toThrow('cannot be read (ESTALE)');
  vi.spyOn(bytes, 'readNow').mockImplementation(() => {
    throw lost;
  });
  expect(() => sealed.partNow(0)).toThrow(new Damaged(lost));
  expect(sealed.isDamaged).toBe(true);
});

test('nothing else is opened that is not whole', async () => {
  for (let at = 0; at < WHOLE.length; at++)
    await expect(open(WHOLE.subarray(0, at))).rejects.toThrow(Damaged);
  for (let at = 0; at < HEADER; at++) {
    const bytes = Uint8Array.from(WHOLE);
    bytes[at]! ^= 1;
    await expect(open(bytes)).rejects.toThrow(Damaged);
  }
  for (let at = HEADER + Buffer.concat(PARTS).length; at < WHOLE.length; at++) {
    const bytes = Uint8Array.from(WHOLE);
    bytes[at]! ^= 1;
    await expect(open(bytes)).rejects.toThrow(Damaged);
  }
  await expect(open(Buffer.concat([WHOLE, Uint8Array.of(0)]))).rejects.toThrow(Damaged);
});

test('bytes of several pieces are those of one', async () => {
  const pieces = [WHOLE.subarray(0, 100), WHOLE.subarray(100, 265), WHOLE.subarray(265)];
  const sealed = await Sealed.open(new BytesInMemory(pieces));
  for (const [number, part] of PARTS.entries()) expect(new Uint8Array(sealed.partNow(number))).toEqual(part);
});
