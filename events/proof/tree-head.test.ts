import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../json.ts';
import { Malformed } from './malformed.ts';
import { formatTreeHead, headsHash, originOf, parseTreeHead } from './tree-head.ts';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
const ROOT = Buffer.alloc(32, 7).toString('base64');
const GOOD = `beleg/0123456789abcdef\n3\n${ROOT}\nheads ${ROOT}\n`;

describe("the text of a checkpoint's note", () => {
  test('says which log, how many events, which root, and is read back', () => {
    const origin = fc.stringMatching(/^[0-9a-f]{64}$/).map(originOf);
    fc.assert(
      fc.property(origin, fc.maxSafeNat(), hash, hash, (of, size, root, heads) => {
        const head = { origin: of, size, root, heads };
        expect(parseTreeHead(formatTreeHead(head))).toEqual(head);
      }),
    );
    const seven = Buffer.alloc(32, 7);
    expect(formatTreeHead({ origin: 'beleg/0123456789abcdef', size: 3, root: seven, heads: seven })).toBe(
      GOOD,
    );
  });

  test('may say more in later versions', () => {
    expect(parseTreeHead(`${GOOD}later more\n`)).toEqual(parseTreeHead(GOOD));
  });

  test.each([
    ['nothing', ''],
    ['no end', GOOD.slice(0, -1)],
    ['another log', GOOD.replace('beleg/', 'other/')],
    ['an origin in capitals', GOOD.replace('abcdef', 'ABCDEF')],
    ['a zero before the size', GOOD.replace('\n3\n', '\n03\n')],
    ['a sign before the size', GOOD.replace('\n3\n', '\n+3\n')],
    ['a size in other digits', GOOD.replace('\n3\n', '\n0x3\n')],
    ['a size beyond counting', GOOD.replace('\n3\n', '\n9007199254740992\n')],
    ['a short root', GOOD.replace(`\n${ROOT}\n`, '\nBwcH\n')],
    ['a root without padding', GOOD.replace(`\n${ROOT}\n`, `\n${ROOT.slice(0, -1)}\n`)],
    ['no heads', GOOD.replace('heads', 'tails')],
    ['heads twice', `${GOOD}heads ${ROOT}\n`],
    ['an empty line', `${GOOD}\n`],
  ])('is malformed: %s', (_, text) => {
    expect(() => parseTreeHead(text)).toThrow(Malformed);
  });
});

describe('the hash of heads', () => {
  const heads = [
    { stream: 'a', revision: 1, hash: 'ab' },
    { stream: 'b', revision: 0, hash: 'cd' },
  ];

  test('is of their canonical JSON, whatever the order of members', () => {
    expect(headsHash(heads).toString('hex')).toBe(
      '5fe4f348fbf3360e83161522e580f1d7aac8900ab7bf3d0702c7c73be137e540',
    );
    expect(headsHash(heads.map(({ stream, revision, hash }) => ({ hash, stream, revision })))).toEqual(
      headsHash(heads),
    );
  });

  test('is that of RFC 8785 for whatever heads', () => {
    const head = fc.record({
      stream: fc.string({ unit: 'binary' }),
      revision: fc.maxSafeNat(),
      hash: fc.stringMatching(/^[0-9a-f]{4}$/),
    });
    fc.assert(
      fc.property(fc.array(head), (some) => {
        const expected = createHash('sha256').update(canonicalJson(some)).digest();
        expect(headsHash(some)).toEqual(expected);
      }),
    );
  });

  test('changes with each of them and with their order', () => {
    const [one, other] = heads as [(typeof heads)[0], (typeof heads)[0]];
    const others = [
      [],
      [one],
      [other, one],
      [{ ...one, stream: 'c' }, other],
      [{ ...one, revision: 2 }, other],
      [one, { ...other, hash: 'ce' }],
    ];
    expect(new Set([heads, ...others].map((some) => headsHash(some).toString('hex')))).toHaveProperty(
      'size',
      7,
    );
  });
});
