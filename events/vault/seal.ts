import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { canonicalJson } from '../json.ts';
import { UnopenableText, type Sealed, type SealedText } from './vault.ts';

// Keys are passed as `KeyObject`, because Node takes longer to recognise bytes as a key.
const CIPHER = 'aes-256-gcm';
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with AES-256-GCM and a random nonce. A key encrypts the few texts of one request, so a nonce of 96 random
 * bits will not repeat (NIST SP 800-38D allows 2^32 messages a key). Key name and context are authenticated, so that
 * text cannot be moved to another field, event or request.
 */
export function sealText(key: Uint8Array, name: string, plaintext: string, context: string): Sealed {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, createSecretKey(key), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(name, context));
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return { $sealed: Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64') };
}

/** Decrypts a text. Throws `STREAM_CORRUPT` if it was changed, or was encrypted under another key, name or context. */
export function openText(key: Uint8Array, name: string, sealed: Sealed, context: string): string {
  try {
    const bytes = Buffer.from(sealed.$sealed, 'base64');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, createSecretKey(key), nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(associatedData(name, context));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8');
    return text + decipher.final('utf8');
  } catch (cause) {
    throw new UnopenableText('the encrypted text cannot be decrypted', cause);
  }
}

/** Whether the text was encrypted under this key. */
export function isKeyOf(key: Uint8Array, name: string, { sealed, context }: SealedText): boolean {
  try {
    openText(key, name, sealed, context);
    return true;
  } catch (error) {
    if (error instanceof UnopenableText) return false;
    throw error;
  }
}

function associatedData(name: string, context: string): Buffer {
  return Buffer.from(canonicalJson([name, context]), 'utf8');
}
