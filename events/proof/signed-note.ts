import { sign, verify } from 'node:crypto';
import type { SigningKey, VerifierKey } from './keys.ts';
import { decodeBase64, Malformed } from './malformed.ts';

const KEY_ID_BYTES = 4;
/** The most signatures that are read. Others may sign too, but a note is not meant to hold data. */
const MAX_SIGNATURES = 100;
// oxlint-disable-next-line no-control-regex -- the specification forbids exactly these
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/u;
const SIGNATURE = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u;

/**
 * The signed note of a text: the text, a blank line, and a line for each signature. Without keys it ends with the blank
 * line.
 *
 * @throws {Malformed} for a text that no note can have.
 */
export function signNote(text: string, keys: readonly SigningKey[]): string {
  assertText(text);
  const signatures = keys.map(({ name, keyId, privateKey }) => {
    const bytes = Buffer.concat([Buffer.from(keyId, 'hex'), sign(null, Buffer.from(text), privateKey)]);
    return `\u2014 ${name} ${bytes.toString('base64')}\n`;
  });
  return `${text}\n${signatures.join('')}`;
}

/**
 * Reads a signed note (C2SP signed-note): the text with its final newline, and its signatures.
 *
 * @throws {Malformed} for any other text.
 */
export function parseNote(note: string) {
  const end = note.lastIndexOf('\n\n');
  if (end === -1) throw new Malformed('the note has no blank line after its text');
  const text = note.slice(0, end + 1);
  assertText(text);
  const lines = note.slice(end + 2).split('\n');
  if (lines.pop() !== '') throw new Malformed('the last line of the note is cut off');
  if (lines.length > MAX_SIGNATURES) throw new Malformed('the note has too many signatures');
  return { text, signatures: lines.map(parseSignature) };
}

/**
 * Whether this key has signed. Signatures by other keys are ignored. A wrong signature in the name of this key makes
 * the note worthless, whoever else signed.
 */
export function isSignedBy({ text, signatures }: ReturnType<typeof parseNote>, key: VerifierKey): boolean {
  const own = signatures.filter(({ name, keyId }) => name === key.name && keyId === key.keyId);
  return own.length > 0 && own.every(({ bytes }) => verify(null, Buffer.from(text), key.publicKey, bytes));
}

/**
 * Reads a line with a signature. The key id is a hint at the key. An Ed25519 signature has 64 bytes; those of other
 * algorithms may have any number.
 */
function parseSignature(line: string) {
  const [, name, encoded] = SIGNATURE.exec(line) ?? [];
  const bytes = encoded === undefined ? undefined : decodeBase64(encoded);
  if (name === undefined || bytes === undefined || bytes.length <= KEY_ID_BYTES) {
    throw new Malformed('a signature line of the note is not "— <name> <base64>"');
  }
  return { name, keyId: bytes.toString('hex', 0, KEY_ID_BYTES), bytes: bytes.subarray(KEY_ID_BYTES) };
}

function assertText(text: string): void {
  if (!text.endsWith('\n') || CONTROL.test(text) || !text.isWellFormed()) {
    throw new Malformed('the text of the note must be lines of plain text');
  }
}
