import { join } from 'node:path';
import type { Logger } from 'pino';
import { BelegError } from '../../../events/errors.ts';
import type { ModelOptions } from '../../../kb/locate-model.ts';
import { startChild, type Child } from './child.ts';
import type { FromModel, ModelFacts, ModelTask } from './messages.ts';

const PROGRAM = join(import.meta.dirname, 'model-program.ts');

export interface ModelProcessOptions extends ModelOptions {
  readonly task: ModelTask;
  /** The setting that names the model. */
  readonly setting: string;
  /** Milliseconds for one run, including the wait for its turn. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  /** Milliseconds in which a run that is no longer needed has to stop. */
  readonly graceMs?: number;
  /** Milliseconds until a model that failed to restart is tried again. */
  readonly pauseMs?: number;
  /** The path of another program, for tests. */
  readonly program?: string;
}

/** A model of this machine, with a function that closes it. */
export interface Local<Model> {
  readonly model: Model;
  close(): Promise<void>;
}

/** The model of a setting cannot be used; the message says why. */
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
 * A model in a process of its own, because a run of ONNX Runtime blocks its thread, and a thread cannot be ended within
 * a run. There is one run at a time. A run that is no longer needed is cancelled, and its process is killed if it does
 * not stop; whenever a process ends, a new one is started. Resolves once the model is loaded.
 *
 * @throws {LocalModelInvalid} if the model is missing or broken.
 */
export async function openModelProcess(options: ModelProcessOptions) {
  const { program = PROGRAM, task, model, allowRemote, setting, logger } = options;
  const { timeoutMs, graceMs = 1_000, pauseMs = 10_000 } = options;
  const waiting: Job[] = [];
  const begun = Promise.withResolvers<ModelFacts>();
  let child: Child | null = null;
  let state: 'loading' | 'loaded' | 'down' | 'closed' = 'loading';
  let running: Job | null = null;
  let killing: NodeJS.Timeout | undefined;
  let restarting: NodeJS.Timeout | undefined;
  let gone: PromiseWithResolvers<void>;
  let nextId = 0;

  function start(): void {
    state = 'loading';
    gone = Promise.withResolvers();
    child = startChild(program, hear, ended);
    child.send({ kind: 'load', task, model, allowRemote });
  }

  function hear(message: FromModel): void {
    if (state === 'closed') return;
    switch (message.kind) {
      case 'loaded':
        state = 'loaded';
        begun.resolve(message.facts);
        next();
        break;
      case 'unusable':
        begun.reject(new LocalModelInvalid(setting, message.reason));
        child?.kill();
        break;
      case 'done':
        over(message.id, { output: message.output });
        break;
      case 'failed':
        logger.warn({ setting, fault: message.fault }, 'a local model failed');
        over(message.id, { error: unavailable(message.fault) });
        break;
    }
  }

  function next(): void {
    if (state !== 'loaded' || running !== null) return;
    const job = waiting.shift();
    if (job === undefined) return;
    running = job;
    child?.send({ kind: 'run', id: job.id, input: job.input });
  }

  function over(id: number, outcome: Parameters<Job['end']>[0]): void {
    if (running?.id !== id) return;
    clearTimeout(killing);
    const job = running;
    running = null;
    job.end(outcome);
    next();
  }

  function giveUp(job: Job, error: unknown): void {
    job.end({ error });
    const place = waiting.indexOf(job);
    if (place !== -1) waiting.splice(place, 1);
    if (running !== job) return;
    child?.send({ kind: 'cancel', id: job.id });
    killing = setTimeout(() => child?.kill(), graceMs);
  }

  function ended(how: string): void {
    clearTimeout(killing);
    child = null;
    gone.resolve();
    if (state === 'closed') return;
    running?.end({ error: unavailable() });
    running = null;
    if (state === 'loaded') {
      logger.warn({ setting, how }, 'the process of a local model stopped; starting it again');
      start();
      return;
    }
    begun.reject(new LocalModelInvalid(setting, `its process stopped while loading (${how})`));
    logger.error({ setting, how }, 'a local model does not start');
    state = 'down';
    turnDown();
    restarting = setTimeout(start, pauseMs);
    restarting.unref();
  }

  function turnDown(): void {
    running?.end({ error: unavailable() });
    running = null;
    for (const job of waiting.splice(0)) job.end({ error: unavailable() });
  }

  /** Ends the process; waiting runs are rejected. */
  async function close(): Promise<void> {
    state = 'closed';
    clearTimeout(restarting);
    clearTimeout(killing);
    turnDown();
    if (child === null) return;
    child.kill();
    await gone.promise;
  }

  start();
  const facts = await begun.promise.catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    facts,
    close,

    /** False while the model is loading again or cannot be loaded. */
    get ready() {
      return state === 'loaded';
    },

    /** The id of the process; `undefined` while there is none. */
    get pid() {
      return child?.pid;
    },

    /** Runs the model. Rejects with `MODEL_UNAVAILABLE`, or with the reason of `signal`. */
    run: (input: unknown, signal: AbortSignal): Promise<unknown> => {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      if (state === 'down' || state === 'closed') return Promise.reject(unavailable());
      return new Promise((resolve, reject) => {
        const job: Job = {
          id: nextId++,
          input,
          end: (outcome) => {
            clearTimeout(timer);
            signal.removeEventListener('abort', abort);
            if ('error' in outcome) reject(outcome.error);
            else resolve(outcome.output);
          },
        };
        const abort = (): void => giveUp(job, signal.reason);
        const timer = setTimeout(() => {
          logger.warn({ setting }, 'a local model took too long');
          giveUp(job, unavailable());
        }, timeoutMs);
        signal.addEventListener('abort', abort, { once: true });
        waiting.push(job);
        next();
      });
    },
  };
}

export type ModelProcess = Awaited<ReturnType<typeof openModelProcess>>;

function unavailable(fault?: string): BelegError {
  return fault === 'PromptTooLong'
    ? new BelegError('MODEL_UNAVAILABLE', {
        detail: 'The question and its sources are too long for the language model',
      })
    : new BelegError('MODEL_UNAVAILABLE', { retryAfter: 5 });
}
