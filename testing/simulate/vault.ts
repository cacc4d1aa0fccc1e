import { openNatsVault } from '../../events/vault/nats.ts';
import type { Vault } from '../../events/vault/vault.ts';
import type { Process } from './simulated-process.ts';
import type { World } from './world.ts';

/** As long as an append may be on its way and no longer, so that sweeps happen within a story. */
const SWEEP_AFTER_MS = 5_000;

/** One process's access to the shared keys: the real vault for NATS with a simulated server. */
export async function openSimulatedVault(process: Process, world: World, owner: string): Promise<Vault> {
  const vault = await openNatsVault(world.keys.connect(process), { owner, sweepAfterMs: SWEEP_AFTER_MS });
  return {
    seal: (name, ...given) => {
      world.noteKeyName(name);
      return vault.seal(name, ...given);
    },
    erase: (name) => {
      world.noteKeyName(name);
      return vault.erase(name);
    },
    open: vault.open.bind(vault),
    confirm: vault.confirm.bind(vault),
    sweep: vault.sweep.bind(vault),
    stateOf: vault.stateOf.bind(vault),
    isErased: vault.isErased.bind(vault),
    close: vault.close.bind(vault),
  };
}
