import { randomBytes } from './replaced/crypto.ts';
import { BelegError } from '../../events/errors.ts';
import { KEY_BYTES, openText, sealText } from '../../events/vault/seal.ts';
import type { KeyCheck, Sealed, Vault } from '../../events/vault/vault.ts';
import type { Process } from './simulated-process.ts';
import type { World } from './world.ts';

/** At the server: durable once it has answered. */
export interface Key {
  /** `null`: erased. */
  bytes: Buffer | null;
  /** Machines that may have text under it which is not on record yet, and since when. */
  readonly markers: Map<string, number>;
  /** Goes up with each use, so that a sweep notices one. */
  uses: number;
}

/** As long as an append may be on its way, and no longer: so that a story gets to see a sweep. */
const SWEEP_AFTER_MS = 5_000;

/** One process's way to the keys that all share. */
export class SimulatedVault implements Vault {
  readonly #process: Process;
  readonly #world: World;
  /** Of whose spool its sweep knows. */
  readonly #owner: string;

  constructor(process: Process, world: World, owner: string) {
    this.#process = process;
    this.#world = world;
    this.#owner = owner;
  }

  async seal(name: string, plaintext: string, context: string): Promise<Sealed> {
    const bytes = await this.#ask(this.#kindOfText, () => {
      let key = this.#world.keys.get(name);
      if (key === undefined) this.#world.keys.set(name, (key = newKey()));
      if (key.bytes !== null) key.markers.set(this.#owner, this.#world.simulation.now);
      key.uses += 1;
      return key.bytes;
    });
    if (bytes === null) throw new BelegError('REQUEST_ERASED');
    return sealText(bytes, name, plaintext, context);
  }

  async open(name: string, sealed: Sealed, context: string): Promise<string | null> {
    const key = await this.#ask('all texts', () => this.#world.keys.get(name));
    if (key === undefined) {
      throw new BelegError('STREAM_CORRUPT', { detail: 'the key of this text is missing' });
    }
    return key.bytes === null ? null : openText(key.bytes, name, sealed, context);
  }

  confirm(name: string): void {
    // Not awaited; losing it costs a question at the next start.
    const { uses = 0 } = this.#world.keys.get(name) ?? {};
    this.#ask(this.#kindOfText, () => {
      const key = this.#world.keys.get(name);
      if (key?.uses === uses) key.markers.delete(this.#owner);
    }).catch(() => undefined);
  }

  async sweep(isUsed: KeyCheck): Promise<number> {
    const mine = await this.#ask('all texts', () =>
      [...this.#world.keys]
        .filter(([, { markers }]) => markers.has(this.#owner))
        .map(([name, { uses }]) => ({ name, uses })),
    );
    let removed = 0;
    for (const { name, uses } of mine) {
      const used = await isUsed(name);
      if (used === 'later') continue;
      await this.#ask('all texts', () => {
        const key = this.#world.keys.get(name);
        if (key === undefined || key.uses !== uses) return;
        // What its process had sent when it died may still get there.
        const since = key.markers.get(this.#owner) ?? 0;
        if (!used && this.#world.simulation.now - since < SWEEP_AFTER_MS) return;
        key.markers.delete(this.#owner);
        if (used || key.bytes === null || key.markers.size > 0) return;
        this.#world.keys.delete(name);
        removed += 1;
      });
    }
    return removed;
  }

  erase(name: string): Promise<boolean> {
    return this.#ask('erasures', () => {
      this.#world.watch.erases(name);
      const key = this.#world.keys.get(name) ?? newKey();
      const had = this.#world.keys.has(name) && key.bytes !== null;
      this.#world.keys.set(name, key);
      key.bytes = null;
      key.markers.clear();
      return had;
    });
  }

  isKept(name: string): Promise<boolean> {
    return this.#ask('keys', () => this.#world.keys.has(name));
  }

  isErased(name: string): Promise<boolean> {
    return this.#ask('erasures', () => this.#world.keys.get(name)?.bytes === null);
  }

  async close(): Promise<void> {
    await this.#world.simulation.sleep(1);
  }

  /** What knowledge processes seal stands in asks, what audit processes seal mostly in comments. */
  get #kindOfText(): string {
    return this.#owner.startsWith('knowledge') ? 'ask' : 'comments';
  }

  async #ask<T>(kind: string, question: () => T): Promise<T> {
    const { simulation } = this.#world;
    if (!this.#world.failsAt('vault', this.#process, kind))
      return simulation.trip(this.#process, 3, question);
    const isDoneAllTheSame = simulation.chance(0.4);
    const failing = simulation.sleep(simulation.between(1, 800), this.#process);
    if (isDoneAllTheSame) simulation.after(simulation.between(0.1, 3), null, question);
    await failing;
    throw new BelegError('STORE_UNAVAILABLE', { retryAfter: 1 });
  }
}

const newKey = (): Key => ({ bytes: randomBytes(KEY_BYTES), markers: new Map(), uses: 0 });
