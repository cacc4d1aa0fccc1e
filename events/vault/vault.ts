import { BelegError } from '../errors.ts';

/**
 * Text encrypted with AES-256-GCM: base64 of nonce (12 bytes), tag (16 bytes) and ciphertext. It is encrypted once and
 * its bytes never change.
 */
export interface Sealed {
  readonly $sealed: string;
}

/** Encrypted text, and the context for which it was encrypted. */
export interface SealedText {
  readonly sealed: Sealed;
  readonly context: string;
}

/**
 * The keys of free text, one for each request, so that deleting one key erases that request's text everywhere
 * (crypto-shredding), while hashes over the ciphertext still match.
 *
 * A key is durable before `seal` resolves: text is never stored under a key that a crash can lose. A crash between the
 * key and the append leaves a key without text. `sweep` removes such keys at a start; keys whose text may still be on
 * its way to the store are left to a later sweep.
 */
export interface Vault {
  /**
   * Encrypts a text, and creates its key at the first use. Rejects with `STORE_UNAVAILABLE` if the key cannot be made
   * durable, and with `REQUEST_ERASED` if the key was erased.
   */
  seal(key: string, plaintext: string, context: string): Promise<Sealed>;
  /**
   * Decrypts a text; `null` if the key was erased. `context` must be the one that the text was encrypted with;
   * otherwise it throws.
   */
  open(key: string, sealed: Sealed, context: string): Promise<string | null>;
  /** Notes that text under this key is on record. It is cheap, and does not wait for the disk. */
  confirm(key: string): void;
  /**
   * Deletes every unconfirmed key for which `isUsed` says no, and returns their number. Keys for which it says yes are
   * confirmed. With `later`, the text is waiting here to be recorded, and the next sweep asks again. Call this before
   * serving.
   */
  sweep(isUsed: KeyCheck): Promise<number>;
  /**
   * Deletes the key, including its bytes in files; true if there was one. Later text under the same name is refused
   * with `REQUEST_ERASED`, even if there was no key. After a failure, call it again.
   */
  erase(key: string): Promise<boolean>;
  /**
   * Whether this name has a key. The stored keys are read, not those in memory. If a text is given that was encrypted
   * under this name, a key that does not decrypt it counts as missing.
   */
  stateOf(key: string, text?: SealedText): Promise<KeyState>;
  /**
   * Whether text under this name is refused, because its key was erased, or its request was erased before the key
   * existed.
   */
  isErased(key: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Text that was not erased but cannot be decrypted: its key is lost, or was replaced by another one. */
export class UnopenableText extends BelegError {
  constructor(reason: string, cause?: unknown) {
    super('STREAM_CORRUPT', { detail: reason, cause });
    this.name = 'UnopenableText';
  }
}

/**
 * `there`: a key. `erased`: only the mark of an erased key. `missing`: neither, or a wrong key; text that was encrypted
 * under this name is lost.
 */
export type KeyState = 'there' | 'erased' | 'missing';

export type KeyCheck = (key: string) => Promise<boolean | 'later'>;

/** The part of a vault for readers. `open` rejects with `KeyUnavailable` if they were not given the key. */
export type KeyReader = Pick<Vault, 'open'>;

/** The key is not among those that may be used here. This does not say whether it was erased. */
export class KeyUnavailable extends Error {
  constructor() {
    super('the encryption key of this text is not available');
    this.name = 'KeyUnavailable';
  }
}

const noText = (): Promise<never> => Promise.reject(new TypeError('this process does not store free text'));

/** The vault of processes whose events have no free text. */
export const NO_VAULT: Vault = {
  open: () => Promise.reject(new KeyUnavailable()),
  seal: noText,
  confirm: () => undefined,
  sweep: () => Promise.resolve(0),
  erase: noText,
  stateOf: noText,
  isErased: noText,
  close: () => Promise.resolve(),
};

/** The keys of readers that leave free text encrypted. */
export const NO_KEYS: KeyReader = { open: () => Promise.reject(new KeyUnavailable()) };
