import { expect, test } from 'vitest';

import { inShortTurns } from '../steps.ts';
import { Damaged, Sealed, sealing } from './sealed.ts';
import { BytesInMemory } from './stored-bytes.ts';

const PARTS = ['erster', '', 'zweiter Teil', 'dritter'].map((text) => new Uint8Array(Buffer.from(text)));
const WHOLE = Buffer.concat([...sealing('abc', PARTS)]);
const HEADER = 256;
const open = (bytes: Uint8Array) => Sealed.open(new BytesInMemory([bytes]));

test('parts are read in any order, at once too', async () => {
  const sealed = (await open(WHOLE))!;
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
  const sealed = (await open(bytes))!;
  expect(await inShortTurns(sealed.part(0))).toEqual(PARTS[0]);
  expect(() => sealed.partNow(2)).toThrow(Damaged);
  await expect(inShortTurns(sealed.part(2))).rejects.toThrow(Damaged);
  await expect(inShortTurns(sealed.checking())).rejects.toThrow(Damaged);
});

test('nothing else is opened that is not whole', async () => {
  for (let at = 0; at < WHOLE.length; at++) expect(await open(WHOLE.subarray(0, at))).toBeUndefined();
  for (let at = 0; at < HEADER; at++) {
    const bytes = Uint8Array.from(WHOLE);
    bytes[at]! ^= 1;
    expect(await open(bytes)).toBeUndefined();
  }
  for (let at = HEADER + Buffer.concat(PARTS).length; at < WHOLE.length; at++) {
    const bytes = Uint8Array.from(WHOLE);
    bytes[at]! ^= 1;
    expect(await open(bytes)).toBeUndefined();
  }
  expect(await open(Buffer.concat([WHOLE, Uint8Array.of(0)]))).toBeUndefined();
});

test('bytes of several pieces are those of one', async () => {
  const pieces = [WHOLE.subarray(0, 100), WHOLE.subarray(100, 265), WHOLE.subarray(265)];
  const sealed = (await Sealed.open(new BytesInMemory(pieces)))!;
  for (const [number, part] of PARTS.entries()) expect(new Uint8Array(sealed.partNow(number))).toEqual(part);
});
