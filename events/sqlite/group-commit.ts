import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BelegError } from '../errors.ts';
import { CORRUPT, tellsDamage, unavailable } from './faults.ts';
import type { FileNews, ThreadReply } from './writer-thread.ts';

interface Waiting<Job, Result> {
  readonly job: Job;
  readonly bytes: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

interface GroupCommitOptions {
  file: string;
  /** The writer thread's module; it calls `runWriterThread`. */
  thread: URL;
  /** Called after each commit, before its callers are told. */
  onCommit?: () => void;
  /** Called when the file was removed or replaced, and when it is back. */
  onFile?: (news: FileNews) => void;
}

/** The most jobs that may wait beyond the batch under way. */
const MAX_QUEUED_JOBS = 10_000;
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;
/** The most jobs of one transaction. */
const MAX_BATCH_JOBS = 1_000;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/**
 * Writes to one SQLite file through a thread of its own. While one batch is being committed the next one is gathered,
 * so that many callers share one fsync and the event loop never waits for a disk.
 *
 * A job resolves when it is on disk. It rejects with `STORE_UNAVAILABLE` when the queue is full (nothing written), or
 * when its batch met a fault or the thread died (it may have been written). The next job is tried again, unless the
 * file is damaged: more writes would spread the damage, and hide since when the file is damaged.
 */
export class GroupCommit<Job, Result> {
  readonly #options: GroupCommitOptions;
  #queue: Waiting<Job, Result>[] = [];
  #queuedBytes = 0;
  #inFlight: Waiting<Job, Result>[] = [];
  #worker: Worker | undefined;
  #sending = false;
  #closed = false;
  #idle: (() => void) | undefined;
  /** The damage because of which nothing more is written. */
  #damage: BelegError | undefined;

  private constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Starts the thread; rejects with `STORE_UNAVAILABLE` when the file cannot be opened or another process has it. */
  static async open<Job, Result>(options: GroupCommitOptions): Promise<GroupCommit<Job, Result>> {
    const writer = new GroupCommit<Job, Result>(options);
    await writer.#start();
    return writer;
  }

  /** Adds a job. `bytes` counts towards the limits of queue and batch. */
  submit(job: Job, bytes: number): Promise<Result> {
    if (this.#closed) return Promise.reject(closedError());
    if (this.#damage !== undefined) return Promise.reject(this.#damage);
    if (this.#queue.length >= MAX_QUEUED_JOBS || this.#queuedBytes + bytes > MAX_QUEUED_BYTES) {
      return Promise.reject(
        new BelegError('STORE_UNAVAILABLE', { detail: 'too many writes are waiting', retryAfter: 1 }),
      );
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ job, bytes, resolve, reject });
      this.#queuedBytes += bytes;
      this.#sendSoon();
    });
  }

  /** To be called with every error of a read: if it tells of damage, nothing more is written. */
  onFault(error: unknown): void {
    if (this.#damage !== undefined || !tellsDamage(error)) return;
    this.#damage = unavailable(error);
    const reason = this.#damage.cause instanceof Error ? this.#damage.cause.message : this.#damage.message;
    this.#options.onFile?.({ state: 'damaged', reason });
  }

  /** Writes waiting jobs, then ends the thread and releases the lock. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#sending) await new Promise<void>((resolve) => (this.#idle = resolve));
    if (this.#worker === undefined) return;
    const exited = once(this.#worker, 'exit');
    this.#worker.postMessage(null);
    await exited;
  }

  /**
   * Waits for the end of the turn, so that everything submitted in one turn of the event loop travels in one message.
   */
  #sendSoon(): void {
    if (this.#sending) return;
    this.#sending = true;
    setImmediate(() => void this.#send());
  }

  async #send(): Promise<void> {
    try {
      if (this.#damage !== undefined) throw this.#damage;
      if (this.#worker === undefined) await this.#start();
    } catch (error) {
      this.#failAll(error as Error);
      return;
    }
    this.#inFlight = this.#takeBatch();
    this.#worker!.postMessage(this.#inFlight.map((waiting) => waiting.job));
  }

  #takeBatch(): Waiting<Job, Result>[] {
    let bytes = 0;
    let count = 0;
    for (const waiting of this.#queue) {
      if (count > 0 && (count === MAX_BATCH_JOBS || bytes + waiting.bytes > MAX_BATCH_BYTES)) break;
      bytes += waiting.bytes;
      count++;
    }
    this.#queuedBytes -= bytes;
    return this.#queue.splice(0, count);
  }

  #settle(each: (waiting: Waiting<Job, Result>, index: number) => void): void {
    const batch = this.#inFlight;
    this.#inFlight = [];
    this.#sending = false;
    batch.forEach(each);
    if (this.#queue.length > 0) this.#sendSoon();
    else this.#idle?.();
  }

  #failAll(error: Error): void {
    this.#inFlight.push(...this.#queue);
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#settle((waiting) => waiting.reject(error));
  }

  async #start(): Promise<void> {
    const { file, thread } = this.#options;
    const worker = new Worker(thread, { workerData: file });
    await new Promise<void>((resolve, reject) => {
      worker.on('message', (reply: ThreadReply<Result>) => {
        if (reply.kind === 'open') {
          this.#worker = worker;
          resolve();
        } else if (reply.kind === 'file') {
          // The whole content of the file could be read and was written to its path again.
          if (reply.state === 'back') this.#damage = undefined;
          if (reply.state === 'damaged') {
            this.onFault(Object.assign(new Error(reply.reason), { errcode: CORRUPT }));
          } else this.#options.onFile?.(reply);
        } else if (reply.kind === 'done') {
          this.#options.onCommit?.();
          this.#settle((waiting, index) => waiting.resolve(reply.results[index]!));
        } else if (this.#worker === worker) {
          const error = unavailable(reply.fault, file);
          this.onFault(error);
          this.#settle((waiting) => waiting.reject(error));
        } else {
          reject(unavailable(reply.fault, file));
        }
      });
      const died = (cause?: Error): void => {
        const error = unavailable(cause ?? new Error('the writer thread stopped'));
        if (this.#worker === worker) {
          this.#worker = undefined;
          if (this.#inFlight.length > 0) this.#settle((waiting) => waiting.reject(error));
        }
        reject(error);
      };
      worker.on('error', died);
      worker.on('exit', () => died());
    });
  }
}

export function closedError(): BelegError {
  return new BelegError('STORE_UNAVAILABLE', { detail: 'the database is closed' });
}
