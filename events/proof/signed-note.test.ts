import { generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSigningKey, readSigningKey, readVerifierKey } from './keys.ts';
import { Malformed } from './malformed.ts';
import { isSignedBy, parseNote, signNote } from './signed-note.ts';

const ours = createSigningKey();
const other = createSigningKey();
const TEXT = 'beleg/0123456789abcdef\n3\n';

/** `undefined` where it is malformed; any other fault fails the test. */
function unlessMalformed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return undefined;
  }
}

/** The example of Go's `sumdb/note`, the first implementation of signed notes. */
const PETER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const PETERS_NOTE = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

describe('a signed note', () => {
  test('of another implementation is read and verified', () => {
    const key = readVerifierKey(PETER);
    expect(key).toMatchObject({ name: 'PeterNeumann', keyId: 'c74f20a3', line: PETER });
    expect(isSignedBy(parseNote(PETERS_NOTE), key)).toBe(true);
    const changed = parseNote(PETERS_NOTE.replace('answer', 'Answer'));
    expect(isSignedBy(changed, key)).toBe(false);
  });

  test('comes back with its text and who signed it', () => {
    const lines = fc.array(fc.string({ unit: 'grapheme' }).filter((line) => !/\p{Cc}/u.test(line)));
    fc.assert(
      fc.property(lines, fc.subarray([ours.key, other.key]), (text, keys) => {
        const note = parseNote(signNote([...text, ''].join('\n') || '\n', keys));
        expect(note.text).toBe([...text, ''].join('\n') || '\n');
        expect([ours.key, other.key].filter((key) => isSignedBy(note, key))).toEqual(keys);
      }),
      { numRuns: 30 },
    );
  });

  test('without a key ends after its blank line', () => {
    expect(signNote(TEXT, [])).toBe(`${TEXT}\n`);
    expect(parseNote(`${TEXT}\n`)).toEqual({ text: TEXT, signatures: [] });
  });

  test('is signed whoever else did, in whatever way', () => {
    const [head = '', mine = ''] = signNote(TEXT, [ours.key]).split('\n\n');
    const foreign = '— witness AAAAAQIDBA==\n';
    const note = parseNote(`${head}\n\n${foreign}${mine}${foreign}`);
    expect(note.signatures.map(({ name }) => name)).toEqual(['witness', 'beleg', 'witness']);
    expect(isSignedBy(note, ours.key)).toBe(true);
    expect(isSignedBy(note, other.key)).toBe(false);
  });

  test('is forged where one signature in the name of a key is not that of the key', () => {
    const signed = signNote(TEXT, [ours.key]);
    const twice = `${signed}— beleg ${Buffer.from(`${ours.key.keyId}00`, 'hex').toString('base64')}\n`;
    for (const note of [twice, signed.replace('\n3\n', '\n4\n')]) {
      expect(isSignedBy(parseNote(note), ours.key)).toBe(false);
    }
  });

  test('whose bytes are changed anywhere is malformed, of other text, or not signed', () => {
    const note = signNote(TEXT, [ours.key]);
    fc.assert(
      fc.property(fc.nat({ max: note.length - 1 }), fc.string({ maxLength: 3 }), (at, instead) => {
        const changed = note.slice(0, at) + instead + note.slice(at + 1);
        fc.pre(changed !== note);
        const parsed = unlessMalformed(() => parseNote(changed));
        expect(parsed !== undefined && isSignedBy(parsed, ours.key)).toBe(false);
      }),
    );
  });

  test.each([
    ['nothing', ''],
    ['no blank line', TEXT],
    ['a line that is cut off', `${TEXT}\n— beleg AAAAAAAA`],
    ['a hyphen for the dash', `${TEXT}\n- beleg AAAAAAAA\n`],
    ['no name', `${TEXT}\n—  AAAAAAAA\n`],
    ['a plus in the name', `${TEXT}\n— be+leg AAAAAAAA\n`],
    ['a key id alone', `${TEXT}\n— beleg AAAAAA==\n`],
    ['base64 with bits left over', `${TEXT}\n— beleg AAAAAAE=\n`.replace('E=', 'F=')],
    ['base64 without padding', `${TEXT}\n— beleg AAAAAAA\n`],
    ['a control character', `a\tb\n\n`],
    ['a carriage return', `a\r\n\n`],
    ['half a character', `\ud800\n\n`],
    ['too many signatures', `${TEXT}\n${'— w AAAAAAAA\n'.repeat(101)}`],
  ])('is malformed: %s', (_, note) => {
    expect(() => parseNote(note)).toThrow(Malformed);
  });

  test('is not made of a text that no note can have', () => {
    for (const text of ['', 'no end', 'a\tb\n', '\udc00\n']) {
      expect(() => signNote(text, [])).toThrow(Malformed);
    }
  });

  test('is read or malformed, whatever it is', () => {
    const piece = fc.oneof(
      fc.constantFrom('\n', '\n\n', '— ', 'beleg ', 'AAAAAAAA', '=', '\r', '0'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const parsed = unlessMalformed(() => parseNote(pieces.join('')));
        if (parsed !== undefined) isSignedBy(parsed, ours.key);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a key', () => {
  test('is the same from its line and from PEM', () => {
    const { key } = ours;
    const pem = key.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    for (const given of [key.line, ` ${key.line}\n`, pem]) {
      expect(readVerifierKey(given)).toMatchObject({ name: 'beleg', keyId: key.keyId, line: key.line });
    }
    expect(readSigningKey(ours.pem).line).toBe(key.line);
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const encrypted = ours.key.privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
    .toString();
  const swapped = `beleg+${other.key.keyId}+${ours.key.line.split('+').slice(2).join('+')}`;

  test.each([
    ['nothing', ''],
    ['a line without key', 'beleg+01234567'],
    ['the id of another key', swapped],
    ['a key that is too short', `beleg+${ours.key.keyId}+AQID`],
    ['a key of another kind', ours.key.line.replace('+A', '+B')],
    ['PEM of another kind', rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    ['PEM that is cut off', '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n'],
    ['a private key', ours.pem],
  ])('to verify with is malformed: %s', (_, text) => {
    expect(() => readVerifierKey(text)).toThrow(Malformed);
  });

  test.each([
    ['nothing', ''],
    ['a public key', ours.key.publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    ['one of another kind', ec.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
    ['one under a passphrase', encrypted],
    ['PEM that is cut off', ours.pem.slice(0, 60)],
  ])('to sign with is malformed: %s', (_, pem) => {
    expect(() => readSigningKey(pem)).toThrow(Malformed);
  });

  test('is read or malformed, whatever it is', () => {
    fc.assert(
      fc.property(fc.nat({ max: ours.key.line.length }), fc.string(), (at, insert) => {
        const text = ours.key.line.slice(0, at) + insert + ours.key.line.slice(at);
        const key = unlessMalformed(() => readVerifierKey(text));
        expect(key === undefined || key.line === text.trim()).toBe(true);
      }),
    );
  });
});
