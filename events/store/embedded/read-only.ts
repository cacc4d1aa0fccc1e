import { statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { othersFile } from '../../sqlite/readable-file.ts';
import type { Position, RecordReader } from '../store.ts';
import { Reader, toPosition } from './reader.ts';
import { openReading } from './reading.ts';
import { scanEmbedded } from './scan.ts';

const POLL_MS = 100;
/** A file with a change as recent as this is read again, because two commits may leave the same time on it. */
const SETTLED_NS = 1_000_000_000n;

/** The most events whose metadata is read to find a time, which takes some milliseconds. */
const WINDOW = 5_000;

interface EmbeddedReader extends RecordReader {
  /** The position before the first event that happened at this time (ISO 8601, UTC) or later. */
  since(at: string): Promise<Position>;
  close(): Promise<void>;
}

/**
 * The record for programs that only read it, whether or not a process runs on it: it writes nothing, and takes no lock
 * that could hinder a writer. Subscriptions learn of commits within 100 ms; between two looks the file is closed.
 *
 * Throws `STORE_UNAVAILABLE` if there is no record. So does each read while the record is away; the next read tries
 * again.
 */
export function openEmbeddedReader({ file }: { file: string }): EmbeddedReader {
  const reader = new Reader(othersFile(file));
  const reading = openReading(reader);
  let seen: bigint | undefined;
  let poll: NodeJS.Timeout | undefined;
  const look = (): void => {
    if (reading.subscribed() === 0) {
      clearInterval(poll);
      poll = undefined;
      return;
    }
    const change = lastChange(file);
    if (change !== seen || change > BigInt(Date.now()) * 1_000_000n - SETTLED_NS) {
      seen = change;
      reading.committed();
    }
    // SQLite removes its log only when the last connection closes, and the last one should be the writer, whenever it
    // stops.
    setImmediate(() => reader.close());
  };
  return {
    ...reading,
    scan: (stream) => scanEmbedded(file, stream),
    subscribe(options) {
      const subscription = reading.subscribe(options);
      poll ??= setInterval(look, POLL_MS);
      return subscription;
    },
    async since(at) {
      // Cuts to whole seconds, because times with and without fractions do not compare as text.
      const second = new Date(at).toISOString().slice(0, 19);
      const head = reader.head();
      for (let after = 0; after < head; after += WINDOW) {
        const first = reader.firstSince(second, after, after + WINDOW);
        if (first !== undefined) return toPosition(first - 1);
        await nextTurn();
      }
      return toPosition(head);
    },
    async close() {
      clearInterval(poll);
      await reading.close();
    },
  };
}

/**
 * The time of the last change in nanoseconds since 1970, 0 if there is no file. A commit changes the log; without a
 * log, only a replaced file has another time.
 */
function lastChange(file: string): bigint {
  const log = statSync(`${file}-wal`, { bigint: true, throwIfNoEntry: false });
  const stat = log ?? statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? 0n : stat.mtimeNs;
}
