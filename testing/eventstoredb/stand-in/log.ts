import { randomUUID } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { openEmbeddedStore } from '../../../events/store/embedded/embedded.ts';
import { NO_STREAM, type EventStore } from '../../../events/store/store.ts';

const STREAM = 'log';

/** In characters of base64, because an append of the embedded store holds at most 1 MiB. */
const PART = 900_000;

const MAX_BATCH = 1_000;

interface Part {
  /** 0 begins a batch: the rest of a batch that a crash has cut off is dropped. */
  index: number;
  last: boolean;
  base64: string;
}

interface Waiting<Entry> {
  entry: Entry;
  resolve: () => void;
  reject: (error: Error) => void;
}

/**
 * Entries in order, which are on disk when `write` resolves. One stream of the embedded store holds them in wrapped
 * form, because that store has stricter rules for names, ids and sizes than EventStoreDB.
 */
export class Log<Entry> {
  readonly #store: EventStore;
  #revision = NO_STREAM;
  #waiting: Waiting<Entry>[] = [];
  #writing: Promise<void> | undefined;
  #broken: Error | undefined;

  private constructor(store: EventStore) {
    this.#store = store;
  }

  /** Calls `replay` with every entry of the file. */
  static async open<Entry>(file: string, replay: (entry: Entry) => void): Promise<Log<Entry>> {
    const store = await openEmbeddedStore({ file });
    const log = new Log<Entry>(store);
    let parts: string[] = [];
    for await (const event of store.readStream(STREAM)) {
      log.#revision = event.revision;
      const part = event.data as unknown as Part;
      if (part.index === 0) parts = [];
      parts.push(part.base64);
      if (!part.last) continue;
      const entries = deserialize(Buffer.from(parts.join(''), 'base64')) as Entry[];
      for (const entry of entries) replay(entry);
    }
    return log;
  }

  write(entry: Entry): Promise<void> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#store.close();
  }

  /** While one batch is written the next one gathers. A failure is final: later entries would follow a gap. */
  async #writeAll(): Promise<void> {
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      try {
        await this.#writeBatch(batch.map((waiting) => waiting.entry));
        for (const waiting of batch) waiting.resolve();
      } catch (error) {
        this.#broken = error as Error;
        for (const waiting of [...batch, ...this.#waiting.splice(0)]) waiting.reject(this.#broken);
      }
    }
    this.#writing = undefined;
  }

  async #writeBatch(entries: readonly Entry[]): Promise<void> {
    const base64 = serialize(entries).toString('base64');
    for (let index = 0, from = 0; from < base64.length; index++, from += PART) {
      const part = { index, last: from + PART >= base64.length, base64: base64.slice(from, from + PART) };
      const { revision } = await this.#store.append(STREAM, this.#revision, [
        {
          id: randomUUID(),
          type: 'Written',
          data: part,
          metadata: { at: new Date().toISOString(), version: 1, $correlationId: 'log', $causationId: 'log' },
        },
      ]);
      this.#revision = revision;
    }
  }
}
