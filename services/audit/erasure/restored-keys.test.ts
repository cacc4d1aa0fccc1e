import { expect, test } from 'vitest';
import { TextErased } from '../../../events/catalog/audit.ts';
import type { EventStore } from '../../../events/store/store.ts';
import type { Vault } from '../../../events/vault/vault.ts';
import { heedErasures } from './restored-keys.ts';

test('keys that have begun anew are told once more what is erased, and others only once', async () => {
  let erased = new Set<string>();
  const keys = {
    isErased: async (name: string) => erased.has(name),
    erase: async (name: string) => erased.size < erased.add(name).size,
  };
  const store = {
    async *readStream() {
      yield { type: TextErased.type, data: { request_id: 'r-1' } };
    },
  };
  const unused = {
    seal: () => {},
    stateOf: () => {},
    confirm: () => {},
    sweep: () => {},
    open: () => {},
    close: () => {},
  };
  const vault = heedErasures(
    { ...unused, ...keys } as unknown as Vault,
    store as unknown as Pick<EventStore, 'readStream'>,
  );
  expect(await vault.eraseAgain()).toBe(1);
  erased = new Set();
  await vault.eraseAgain();
  expect(await vault.isErased('r-1')).toBe(false);
  await vault.eraseAnew();
  expect(await vault.isErased('r-1')).toBe(true);
});
