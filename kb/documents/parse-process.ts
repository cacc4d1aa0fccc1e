import { flushCompileCache } from 'node:module';
import { Worker } from 'node:worker_threads';

import { withoutContents } from './contents.ts';
import { cpuMicroseconds } from './cpu-time.ts';
import type { kindOf } from './kinds.ts';
import { MAX_DEPTH, type Limits } from './document-limits.ts';
import { withoutPagers } from './pager.ts';
import { withoutSeeAlso } from './see-also.ts';
import { Unreadable, type Document } from './unit.ts';
import { withoutWikiParts } from './wiki-export.ts';
import { leftByGit } from '../text/of-git.ts';

/** A message from the parent with one file. The next file follows after the answer. */
export interface Job {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A message of this process: it is ready, a part of long work is done, or the one answer for a file. */
export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'part' }
  | { readonly kind: 'document'; readonly json: string }
  | Refusal;

export interface Refusal {
  readonly kind: 'fault';
  readonly fault: string;
}

const [table, limits] = JSON.parse(process.argv[2] ?? '') as [table: string, limits: Limits];
const kinds = (await import(table)) as { kindOf: typeof kindOf };

/**
 * The time, in microseconds of this process's processor time, by which the present file must be read; 0 without a file.
 */
const until = new BigInt64Array(new SharedArrayBuffer(8));
const watchdog = new Worker(new URL('./parse-watchdog.ts', import.meta.url), {
  workerData: { until, limits },
});
// The watchdog must run before the first file is read.
await new Promise((resolve) => watchdog.once('online', resolve));

const say = (answer: Answer): void => void process.send!(answer);

process.on('message', (job: Job) => void work(job));
process.on('disconnect', () => process.exit());
say({ kind: 'ready' });

const startTheClock = (): void =>
  void Atomics.store(until, 0, BigInt(cpuMicroseconds() + limits.seconds * 1_000_000));

async function work(job: Job): Promise<void> {
  startTheClock();
  const answer = await answerTo(job);
  Atomics.store(until, 0, 0n);
  say(answer);
}

function onPart(): void {
  startTheClock();
  say({ kind: 'part' });
}

async function answerTo({ path, bytes }: Job): Promise<Answer> {
  try {
    const entry = kinds.kindOf(path);
    // A drive that is not in step, or a copy that was cut short, leaves such a file; an empty text may be meant so.
    if (bytes.length === 0)
      throw new Unreadable(entry?.isPacked === true ? 'is empty: it has no bytes' : 'has no text');
    const kind = await entry?.load();
    // This process is killed at its end, so its compile cache is written now for the next process.
    flushCompileCache();
    if (kind === undefined) throw new Unreadable('is of a kind that is not read');
    const ofGit = leftByGit(path, bytes);
    if (ofGit !== undefined) throw new Unreadable(ofGit.message);
    const document = withoutWikiParts(withoutPagers(await kind.parse(bytes, path, onPart)));
    return { kind: 'document', json: bounded(withoutContents(withoutSeeAlso(document))) };
  } catch (error) {
    return { kind: 'fault', fault: reasonOf(error) };
  }
}

/** The document as JSON. A document that is too large for later steps is rejected. */
function bounded(document: Document): string {
  if (document.units.length === 0) throw new Unreadable('has no text');
  if (document.units.some((unit) => unit.kind === 'item' && unit.depth > MAX_DEPTH))
    throw new Unreadable(`has lists that are nested more than ${MAX_DEPTH} deep`);
  const json = JSON.stringify(document);
  if (json.length > limits.output * 1024 ** 2)
    throw new Unreadable(`has more than ${limits.output} MB of text`);
  return json;
}

function reasonOf(error: unknown): string {
  if (error instanceof Unreadable) return error.message;
  // Very deep nesting overflows the stack of the parser.
  if (error instanceof RangeError && error.message.includes('call stack')) return 'is nested too deeply';
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return `cannot be read (${name}: ${message.slice(0, 200)})`;
}
