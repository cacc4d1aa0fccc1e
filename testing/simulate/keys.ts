import { ErrorCode, Events, NatsError, type NatsConnection } from 'nats';
import { hashName } from '../../events/vault/nats-keys.ts';
import type { Process } from './simulated-process.ts';
import type { World } from './world.ts';

/** One message of the bucket, as the server stores it. */
interface Entry {
  readonly key: string;
  readonly revision: number;
  readonly value: string;
  readonly at: number;
}

/** The bucket of text keys at the server, with its watchers. An acknowledged key lasts until the bucket is deleted. */
export class KeyServer {
  readonly #world: World;
  readonly #listeners = new Map<Process, (subject: string, text: string) => void>();
  readonly #breaks = new Map<Process, () => void>();
  /** By revision; `null` if there is no bucket. */
  #entries: Map<number, Entry> | null = null;
  #revision = 0;
  #created = 0;
  /** How often the bucket was lost. */
  losses = 0;

  constructor(world: World) {
    this.#world = world;
  }

  get exists(): boolean {
    return this.#entries !== null;
  }

  /** Creates the bucket if there is none. Returns the time of its creation. */
  ensure(): string {
    if (this.#entries === null) {
      this.#entries = new Map();
      this.#revision = 0;
      this.#created += 1;
    }
    return new Date(this.#created).toISOString();
  }

  /** Somebody deletes the bucket, or the server loses its files; then all clients reconnect. */
  vanish(everything: boolean): void {
    if (this.#entries !== null) this.losses += 1;
    this.#entries = null;
    if (everything) for (const onBreak of this.#breaks.values()) onBreak();
  }

  /** Rejects as the client does. */
  put(key: string, value: string, expected: number): number {
    if (this.#entries === null) throw new NatsError(ErrorCode.NoResponders, ErrorCode.NoResponders);
    if ((this.#last(key)?.revision ?? 0) !== expected) throw refused(400, 10_071, 'wrong last sequence');
    const record = JSON.parse(value) as object | string;
    if (typeof record === 'object' && 'erased' in record)
      this.#world.watch.erases(this.#world.nameOfKey(key));
    const revision = ++this.#revision;
    this.#entries.set(revision, { key, revision, value, at: this.#world.simulation.now });
    return revision;
  }

  get(key: string, revision?: number): Entry | null {
    if (revision === undefined) return this.#last(key) ?? null;
    const entry = this.#entries?.get(revision);
    return entry?.key === key ? entry : null;
  }

  /** Where the revisions begin and end. */
  bounds(): { first_seq: number; last_seq: number } {
    if (this.#entries === null) throw refused(404, 10_059, 'stream not found');
    const [first = this.#revision + 1] = this.#entries.keys();
    return { first_seq: first, last_seq: this.#revision };
  }

  at(revision: number): Entry {
    const entry = this.#entries?.get(revision);
    if (entry === undefined) throw refused(404, 10_037, 'no message found');
    return entry;
  }

  delete(revision: number): boolean {
    if (this.#entries === null) throw refused(404, 10_059, 'stream not found');
    if (!this.#entries.delete(revision)) throw refused(400, 10_043, 'no message found');
    return true;
  }

  /** The keys that match a filter, which ends in `>`. */
  keys(filter: string): string[] {
    if (this.#entries === null) throw refused(404, 10_059, 'stream not found');
    const prefix = filter.slice(0, -1);
    return [...new Set([...this.#entries.values()].map(({ key }) => key))].filter((key) =>
      key.startsWith(prefix),
    );
  }

  /** The bytes of this key; `null` if it is erased, `undefined` if there is none. */
  keyOf(name: string): Buffer | null | undefined {
    const key = `key.${hashName(name)}`;
    const last = this.#last(key);
    if (last === undefined) return undefined;
    const record = JSON.parse(last.value) as Partial<Record<'erased' | 'used' | 'removed', number>> & {
      key?: string;
    };
    if (record.erased !== undefined) return null;
    if (record.removed !== undefined) return undefined;
    const text = record.key ?? (JSON.parse(this.get(key, record.used)!.value) as { key: string }).key;
    return Buffer.from(text, 'base64');
  }

  /** Whether the bytes of this key are still stored, even if it counts as erased. */
  hasBytesOf(name: string): boolean {
    const key = `key.${hashName(name)}`;
    return [...(this.#entries?.values() ?? [])].some(
      (entry) => entry.key === key && entry.value.startsWith('{"key"'),
    );
  }

  /** The part of a connection that the vault uses. */
  connect(process: Process): NatsConnection {
    const { simulation } = this.#world;
    const callbacks: ((text: string) => void)[] = [];
    let broken = Promise.withResolvers<void>();
    this.#listeners.set(process, (_, text) => callbacks.forEach((call) => call(text)));
    this.#breaks.set(process, () =>
      simulation.after(simulation.between(1, 100), process, () => broken.resolve()),
    );
    process.onDrop.push(() => {
      this.#listeners.delete(process);
      this.#breaks.delete(process);
    });
    const connection = {
      subscribe: (_: string, { callback }: { callback: (error: null, message: object) => void }) => {
        callbacks.push((text) => callback(null, { string: () => text }));
        return { unsubscribe: () => void callbacks.splice(0) };
      },
      publish: (subject: string, text: string) => {
        if (process.cut.has('bus')) return;
        for (const [other, hear] of this.#listeners)
          simulation.after(simulation.between(0.2, 5), other, () => hear(subject, text));
      },
      async *status() {
        for (;;) {
          await broken.promise;
          broken = Promise.withResolvers();
          yield { type: Events.Reconnect, data: '' };
        }
      },
      process,
      world: this.#world,
    };
    return connection as unknown as NatsConnection;
  }

  #last(key: string): Entry | undefined {
    return [...(this.#entries?.values() ?? [])].findLast((entry) => entry.key === key);
  }
}

function refused(code: number, errorCode: number, description: string): NatsError {
  const error = new NatsError(description, String(code));
  error.api_error = { code, err_code: errorCode, description };
  return error;
}
