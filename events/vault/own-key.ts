import { randomBytes } from 'node:crypto';
import { KEY_BYTES, openText, sealText } from './seal.ts';
import type { Vault } from './vault.ts';

/** A vault with one key for all names. Whoever creates it must keep the key. */
type OwnKey = Pick<Vault, 'seal' | 'open'>;

export const makeKey = (): Uint8Array => randomBytes(KEY_BYTES);

/**
 * A vault for text whose key in the real vault is not available now. The text is encrypted with the given key
 * meanwhile, and again with its real key before it leaves this process.
 */
export const ownKey = (key: Uint8Array): OwnKey => ({
  seal: async (name, plaintext, context) => sealText(key, name, plaintext, context),
  open: async (name, sealed, context) => openText(key, name, sealed, context),
});
