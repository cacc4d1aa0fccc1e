import { ERASURES_STREAM, TextErased } from '../../../events/catalog/audit.ts';
import type { RecordReader } from '../../../events/store/store.ts';
import type { KeyReader, Vault } from '../../../events/vault/vault.ts';
import { once } from '../../foundation/once.ts';

type StreamReader = Pick<RecordReader, 'readStream'>;

/** The number of names that are checked together. */
const AT_ONCE = 500;

/** A vault that follows the erasures on record once `eraseAgain` has resolved. */
export interface HeedingVault extends Vault {
  /**
   * Erases the keys that were erased before and that a restored backup has brought back. Resolves with their number; a
   * repeated call resolves with that of the first. Rejects with `STORE_UNAVAILABLE`; then no text can be decrypted
   * until the call was repeated successfully.
   */
  eraseAgain(): Promise<number>;
  /**
   * Repeats all erasures after the keys were lost and the vault was created empty, so that nobody can store text under
   * an erased name.
   */
  eraseAnew(): Promise<void>;
}

/** A vault that decrypts no text before everything that is erased on record is erased in the vault as well. */
export function heedErasures(vault: Vault, store: StreamReader): HeedingVault {
  let eraseAgain = once(() => eraseAll(vault, store));
  return {
    eraseAgain: () => eraseAgain(),
    async eraseAnew() {
      eraseAgain = once(() => eraseAll(vault, store));
      await eraseAgain();
    },
    async open(...given) {
      await eraseAgain();
      return vault.open(...given);
    },
    seal: vault.seal.bind(vault),
    confirm: vault.confirm.bind(vault),
    sweep: vault.sweep.bind(vault),
    stateOf: vault.stateOf.bind(vault),
    isErased: vault.isErased.bind(vault),
    erase: vault.erase.bind(vault),
    close: vault.close.bind(vault),
  };
}

/** A vault for readers that refuses every key of a text whose erasure is on record. */
export function heedErasuresReading(keys: KeyReader, store: StreamReader): KeyReader {
  const erased = once(() => erasedOnRecord(store));
  return {
    open: async (key, ...given) => ((await erased()).has(key) ? null : keys.open(key, ...given)),
  };
}

/** The requests whose text is erased. */
export async function erasedOnRecord(store: StreamReader): Promise<ReadonlySet<string>> {
  return new Set(await Array.fromAsync(erasedRequests(store)));
}

async function eraseAll(vault: Vault, store: StreamReader): Promise<number> {
  let erased = 0;
  let names: string[] = [];
  const eraseThese = async (): Promise<void> => {
    const known = await Promise.all(names.map((name) => vault.isErased(name)));
    const found = await Promise.all(names.filter((_, i) => !known[i]).map((name) => vault.erase(name)));
    erased += found.filter(Boolean).length;
    names = [];
  };
  for await (const name of erasedRequests(store)) if (names.push(name) === AT_ONCE) await eraseThese();
  await eraseThese();
  return erased;
}

/** The requests that are erased on record. A key has the name of its request. */
async function* erasedRequests(store: StreamReader): AsyncGenerator<string> {
  for await (const { type, data } of store.readStream(ERASURES_STREAM)) {
    if (type === TextErased.type) yield (data as { request_id: string }).request_id;
  }
}
