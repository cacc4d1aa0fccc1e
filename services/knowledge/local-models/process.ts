import { join } from 'node:path';
import type { Logger } from 'pino';
import { BelegError } from '../../../events/errors.ts';
import type { ModelOptions } from '../../../kb/transformers.ts';
import { startChild, type Child } from './child.ts';
import type { FromModel, ModelFacts, ModelTask } from './messages.ts';

const PROGRAM = join(import.meta.dirname, 'program.ts');

export interface ModelProcessOptions extends ModelOptions {
  readonly task: ModelTask;
  /** Which setting names the model. */
  readonly setting: string;
  /** Milliseconds for one run, the wait for its turn included. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  /** Milliseconds that a run has to stop in once it is of no use. */
  readonly graceMs?: number;
  /** Milliseconds until a model that did not come up again is tried once more. */
  readonly pauseMs?: number;
  /** Another program, in tests. */
  readonly program?: string;
}

/** A model of this machine, and how to be rid of it. */
export interface Local<Model> {
  readonly model: Model;
  close(): Promise<void>;
}

/** A local model cannot be used: the setting that names it, and why. */
export class LocalModelInvalid extends Error {
  constructor(setting: string, reason: string) {
    super(`${setting}: the model cannot be used: ${reason}`);
    this.name = 'LocalModelInvalid';
  }
}

interface Job {
  readonly id: number;
  readonly input: unknown;
  end(outcome: { readonly output: unknown } | { readonly error: unknown }): void;
}

/**
 * A model in a process of its own: a run of ONNX Runtime holds up the thread that it is in, and a thread cannot be ended
 * in the midst of one. One run at a time, in turn. A run that is given up is told to stop, and where it does not the
 * process is killed; however a process ends, another one is started.
 */
export class ModelProcess {
  readonly #options: ModelProcessOptions;
  readonly #waiting: Job[] = [];
  readonly #begun = Promise.withResolvers<ModelFacts>();
  #child: Child | null = null;
  #state: 'loading' | 'loaded' | 'down' | 'closed' = 'loading';
  #running: Job | null = null;
  #killing: NodeJS.Timeout | undefined;
  #restarting: NodeJS.Timeout | undefined;
  #gone: PromiseWithResolvers<void> = Promise.withResolvers();
  #nextId = 0;

  private constructor(options: ModelProcessOptions) {
    this.#options = options;
    this.#start();
  }

  /**
   * Resolves once the model is loaded.
   *
   * @throws LocalModelInvalid where it is missing or broken
   */
  static async open(options: ModelProcessOptions): Promise<{ process: ModelProcess; facts: ModelFacts }> {
    const process = new ModelProcess(options);
    try {
      return { process, facts: await process.#begun.promise };
    } catch (error) {
      await process.close();
      throw error;
    }
  }

  /** False while the model loads again, or does not come up. */
  get ready(): boolean {
    return this.#state === 'loaded';
  }

  /** `undefined` while there is none. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Rejects with `MODEL_UNAVAILABLE`, or with the reason of `signal`. */
  run(input: unknown, signal: AbortSignal): Promise<unknown> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (this.#state === 'down' || this.#state === 'closed') return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      const job: Job = {
        id: this.#nextId++,
        input,
        end: (outcome) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', abort);
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.output);
        },
      };
      const abort = (): void => this.#giveUp(job, signal.reason);
      const timer = setTimeout(() => {
        this.#options.logger.warn({ setting: this.#options.setting }, 'a local model took too long');
        this.#giveUp(job, unavailable());
      }, this.#options.timeoutMs);
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(job);
      this.#next();
    });
  }

  /** Ends the process; what still waits is turned down. */
  async close(): Promise<void> {
    this.#state = 'closed';
    clearTimeout(this.#restarting);
    clearTimeout(this.#killing);
    this.#turnDown();
    if (this.#child === null) return;
    this.#child.kill();
    await this.#gone.promise;
  }

  #start(): void {
    const { program = PROGRAM, task, model, allowRemote } = this.#options;
    this.#state = 'loading';
    this.#gone = Promise.withResolvers();
    this.#child = startChild(
      program,
      (message) => this.#hear(message),
      (how) => this.#ended(how),
    );
    this.#child.send({ kind: 'load', task, model, allowRemote });
  }

  #hear(message: FromModel): void {
    if (this.#state === 'closed') return;
    const { setting, logger } = this.#options;
    switch (message.kind) {
      case 'loaded':
        this.#state = 'loaded';
        this.#begun.resolve(message.facts);
        this.#next();
        break;
      case 'unusable':
        this.#begun.reject(new LocalModelInvalid(setting, message.reason));
        this.#child?.kill();
        break;
      case 'done':
        this.#over(message.id, { output: message.output });
        break;
      case 'failed':
        logger.warn({ setting, fault: message.fault }, 'a local model failed');
        this.#over(message.id, { error: unavailable(message.fault) });
        break;
    }
  }

  #next(): void {
    if (this.#state !== 'loaded' || this.#running !== null) return;
    const job = this.#waiting.shift();
    if (job === undefined) return;
    this.#running = job;
    this.#child?.send({ kind: 'run', id: job.id, input: job.input });
  }

  #over(id: number, outcome: Parameters<Job['end']>[0]): void {
    if (this.#running?.id !== id) return;
    clearTimeout(this.#killing);
    const job = this.#running;
    this.#running = null;
    job.end(outcome);
    this.#next();
  }

  #giveUp(job: Job, error: unknown): void {
    job.end({ error });
    const place = this.#waiting.indexOf(job);
    if (place !== -1) this.#waiting.splice(place, 1);
    if (this.#running !== job) return;
    this.#child?.send({ kind: 'cancel', id: job.id });
    this.#killing = setTimeout(() => this.#child?.kill(), this.#options.graceMs ?? 1_000);
  }

  #ended(how: string): void {
    const { setting, logger, pauseMs = 10_000 } = this.#options;
    clearTimeout(this.#killing);
    this.#child = null;
    this.#gone.resolve();
    if (this.#state === 'closed') return;
    this.#running?.end({ error: unavailable() });
    this.#running = null;
    if (this.#state === 'loaded') {
      logger.warn({ setting, how }, 'the process of a local model stopped; starting it again');
      this.#start();
      return;
    }
    this.#begun.reject(new LocalModelInvalid(setting, `its process stopped while loading (${how})`));
    logger.error({ setting, how }, 'a local model does not start');
    this.#state = 'down';
    this.#turnDown();
    this.#restarting = setTimeout(() => this.#start(), pauseMs);
    this.#restarting.unref();
  }

  #turnDown(): void {
    this.#running?.end({ error: unavailable() });
    this.#running = null;
    for (const job of this.#waiting.splice(0)) job.end({ error: unavailable() });
  }
}

function unavailable(fault?: string): BelegError {
  return fault === 'PromptTooLong'
    ? new BelegError('MODEL_UNAVAILABLE', {
        detail: 'The question and its sources are too long for the language model',
      })
    : new BelegError('MODEL_UNAVAILABLE', { retryAfter: 5 });
}
