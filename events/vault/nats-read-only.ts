import type { NatsConnection } from 'nats';
import { bindBucket } from '../nats/bucket.ts';
import { isForbidden } from '../nats/ensure-stream.ts';
import { hashName, KEYS_BUCKET, NatsKeys } from './nats-keys.ts';
import { openText } from './seal.ts';
import { KeyUnavailable, UnopenableText, type KeyReader } from './vault.ts';

const REQUEST_TIMEOUT_MS = 2_000;

/**
 * The keys in the bucket of `openNatsVault`, for a user that may only read them. A user without that right has no keys,
 * and learns this from the reply to the first request, not from a timeout. No key is kept in memory, so that erased
 * text can no longer be decrypted from then on.
 *
 * `open` rejects with `STORE_UNAVAILABLE` if NATS does not answer.
 */
export async function openNatsKeys(connection: NatsConnection): Promise<KeyReader> {
  const bucket = await bindBucket(connection, { name: KEYS_BUCKET, timeoutMs: REQUEST_TIMEOUT_MS });
  const keys = new NatsKeys(bucket);
  let permitted = true;

  /** The key; `null` if it was erased, `undefined` if there is none. */
  const find = async (hash: string): Promise<Uint8Array | null | undefined> => {
    const state = await keys.last(hash);
    if (state === undefined || state.kind === 'removed') return undefined;
    // A key that has been removed meanwhile is being erased.
    return state.kind === 'erased' ? null : ((await keys.keyOf(hash, state)) ?? null);
  };

  return {
    async open(name, sealed, context) {
      if (!permitted) throw new KeyUnavailable();
      const key = await find(hashName(name)).catch((error: unknown) => {
        if (!(error instanceof Error && isForbidden(error.cause))) throw error;
        permitted = false;
        throw new KeyUnavailable();
      });
      if (key === undefined) throw new UnopenableText('the encryption key of this text is missing');
      return key === null ? null : openText(key, name, sealed, context);
    },
  };
}
