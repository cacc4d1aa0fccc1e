import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { decodeBase64, Malformed } from './malformed.ts';

/** The signer's name in every checkpoint. */
const KEY_NAME = 'beleg';

/** A public key in the form of signed notes (C2SP). */
export interface VerifierKey {
  readonly name: string;
  /** Eight hexadecimal digits of `SHA-256(name ‖ 0x0A ‖ 0x01 ‖ public key)`. */
  readonly keyId: string;
  readonly publicKey: KeyObject;
  /** The line with everything that a verifier needs: `<name>+<key id>+<base64>`. */
  readonly line: string;
}

export interface SigningKey extends VerifierKey {
  readonly privateKey: KeyObject;
}

const ED25519 = 0x01;
const PUBLIC_KEY_BYTES = 32;
const LINE = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/u;

/**
 * Reads a public key: the one line that `beleg audit key` prints, or PEM (`BEGIN PUBLIC KEY`), which gets the name
 * `beleg`.
 *
 * @throws {Malformed} for any other text.
 */
export function readVerifierKey(text: string): VerifierKey {
  const given = text.trim();
  if (given.startsWith('-----BEGIN')) {
    if (given.includes('PRIVATE KEY')) {
      throw new Malformed('this is a private key: verifying needs the public key');
    }
    return toVerifierKey(
      KEY_NAME,
      ed25519(() => createPublicKey({ key: given, format: 'pem' })),
    );
  }
  const [, name, keyId, encoded] = LINE.exec(given) ?? [];
  if (name === undefined || encoded === undefined) {
    throw new Malformed('not a public key: neither PEM nor <name>+<key id>+<base64>');
  }
  const bytes = decodeBase64(encoded);
  if (bytes?.length !== 1 + PUBLIC_KEY_BYTES || bytes[0] !== ED25519) {
    throw new Malformed('the public key is not an Ed25519 key');
  }
  const x = bytes.toString('base64url', 1);
  const key = toVerifierKey(
    name,
    ed25519(() => createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })),
  );
  if (key.keyId !== keyId) throw new Malformed('the key id does not match the public key');
  return key;
}

/**
 * Reads an Ed25519 private key from PEM (PKCS #8), to sign as `beleg`.
 *
 * @throws {Malformed} for any other text.
 */
export function readSigningKey(pem: string): SigningKey {
  const privateKey = ed25519(() => createPrivateKey({ key: pem, format: 'pem' }));
  return { ...toVerifierKey(KEY_NAME, createPublicKey(privateKey)), privateKey };
}

/** A new key, and its private half as PEM (PKCS #8). */
export function createSigningKey(): { key: SigningKey; pem: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key: readSigningKey(pem), pem };
}

/** OpenSSL's message on a bad key may reveal its content, so it is not passed on. */
function ed25519(read: () => KeyObject): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = read();
  } catch {
    throw new Malformed('not a readable key in PEM format');
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Malformed('the key is not an Ed25519 key');
  return key;
}

function toVerifierKey(name: string, publicKey: KeyObject): VerifierKey {
  const { x } = publicKey.export({ format: 'jwk' });
  const bytes = Buffer.concat([Buffer.of(ED25519), Buffer.from(x!, 'base64url')]);
  const keyId = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), bytes])).slice(0, 8);
  return { name, keyId, publicKey, line: `${name}+${keyId}+${bytes.toString('base64')}` };
}
