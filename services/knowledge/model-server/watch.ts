import type { Logger } from 'pino';
import type { ModelCondition, ModelFigures, ModelReason } from '../../../events/messages/knowledge.ts';
import { ADVICE } from './reasons.ts';

interface WatchOptions {
  /** Sends the model one small question: `null` where the reply is of use, else why not. Never rejects. */
  readonly probe: (signal: AbortSignal) => Promise<ModelReason | null>;
  /** What is known of the model by then, for the line about it at the start. */
  readonly facts?: () => object;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Milliseconds between two probes, at first. */
  readonly restMs?: number | undefined;
}

/**
 * What each failure counts; from `LEAVES_AT` in a row on the model is left alone. What is wrong with its address, key or
 * context is so for everybody; what costs an ask all its time counts double; a request that does not suit it says nothing of it.
 */
const WEIGHTS: Readonly<Record<ModelReason, number>> = {
  unreachable: 5,
  unknown_host: 5,
  certificate: 5,
  wrong_protocol: 5,
  wrong_key: 5,
  not_found: 5,
  redirected: 5,
  context_too_small: 5,
  timeout: 2,
  server_error: 1,
  busy: 1,
  reply_cut: 1,
  reply_unreadable: 1,
  nothing_verified: 1,
  no_answer: 1,
  request_refused: 0,
};
const LEAVES_AT = 5;

/** Of use are those that come within these minutes; from so many on most of them say something. */
const WINDOW_MS = 5 * 60_000;
const MIN_ASKS = 4;

const REST_MS = 10_000;
const LONGEST_REST_MS = 60_000;

/**
 * Watches a language model: leaves it alone where it fails again and again, asks it by itself whether it is back, and says
 * how it is. Nobody's question is the probe.
 */
export class ModelWatch {
  readonly #options: WatchOptions;
  readonly #closed = new AbortController();
  readonly #calls: Record<string, number> = {};
  readonly #asks: Record<string, number> = {};
  #callMs = 0;
  #promptTokens = 0;
  #completionTokens = 0;
  #recent: { readonly at: number; readonly reason: ModelReason | null }[] = [];
  #faults = 0;
  #newest: ModelReason = 'unreachable';
  /** What the first look has shown, until it has written an answer. */
  #shown: ModelReason | null = null;
  /** Why it is left alone. */
  #left: ModelReason | null = null;
  #restMs: number;
  #timer: NodeJS.Timeout | undefined;
  #condition: ModelCondition;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#restMs = options.restMs ?? REST_MS;
    this.#condition = { state: 'ready', since: options.now().toISOString(), reason: null };
  }

  /** False while it is left alone. */
  get isAsked(): boolean {
    return this.#left === null;
  }

  /** One call has ended. */
  called(
    outcome: 'answered' | 'left' | ModelReason,
    ms: number,
    tokens: { readonly prompt: number; readonly completion: number } = { prompt: 0, completion: 0 },
  ): void {
    count(this.#calls, outcome);
    this.#callMs += ms;
    this.#promptTokens += tokens.prompt;
    this.#completionTokens += tokens.completion;
  }

  /** Something went wrong with it; `isOfAsk`: the ask may be why, so that it counts as one fault. */
  note(reason: ModelReason, { isOfAsk = false } = {}): void {
    this.#newest = reason;
    this.#faults += isOfAsk ? Math.min(1, WEIGHTS[reason]) : WEIGHTS[reason];
    if (this.#left === null && this.#faults >= LEAVES_AT) this.#leave(reason);
  }

  /** An ask that it was to write has ended. */
  asked({ written }: { readonly written: boolean }): void {
    const reason = written ? null : (this.#left ?? this.#newest);
    this.#recent.push({ at: this.#options.now().getTime(), reason });
    if (written) {
      this.#faults = 0;
      this.#shown = null;
    }
    count(this.#asks, reason ?? 'written');
    this.condition();
  }

  condition(): ModelCondition {
    const now = this.#options.now();
    this.#recent = this.#recent.filter(({ at }) => at > now.getTime() - WINDOW_MS);
    const { state, reason } = this.#judge();
    const before = this.#condition;
    if (state === before.state && reason === before.reason) return before;
    const since = state === before.state ? before.since : now.toISOString();
    this.#condition = { state, since, reason };
    this.#tell(before.state);
    return this.#condition;
  }

  figures(): ModelFigures {
    return {
      calls: { ...this.#calls },
      call_seconds: this.#callMs / 1_000,
      prompt_tokens: this.#promptTokens,
      completion_tokens: this.#completionTokens,
      asks: { ...this.#asks },
    };
  }

  /** Looks at the model when the service begins; it is used meanwhile. What is wrong with it; never rejects. */
  async look(): Promise<ModelReason | null> {
    const reason = await this.#options.probe(this.#closed.signal);
    if (this.#closed.signal.aborted || this.#left !== null) return reason;
    if (reason === null) this.#options.logger.info(this.#facts, 'the language model answers');
    else if (WEIGHTS[reason] >= 2 || reason === 'server_error') this.#leave(reason);
    else this.#shown = reason;
    this.condition();
    return reason;
  }

  close(): void {
    this.#closed.abort();
    clearTimeout(this.#timer);
  }

  #judge(): Pick<ModelCondition, 'state' | 'reason'> {
    if (this.#left !== null) return { state: 'away', reason: this.#left };
    const without = this.#recent.flatMap(({ reason }) => reason ?? []);
    if (this.#recent.length < MIN_ASKS || without.length * 2 <= this.#recent.length) {
      return { state: this.#shown === null ? 'ready' : 'degraded', reason: this.#shown };
    }
    // What was wrong minutes ago may be mended.
    return { state: 'degraded', reason: without.at(-1)! };
  }

  get #facts(): object {
    return this.#options.facts?.() ?? {};
  }

  /** Each change for the log, with what can be done. */
  #tell(before: ModelCondition['state']): void {
    const { logger } = this.#options;
    const { state, reason } = this.#condition;
    if (reason === null) {
      logger.info(
        before === 'away'
          ? 'the language model works again and is used for answers'
          : 'the language model works again for most answers',
      );
    } else if (state === 'away') {
      const what =
        before === 'away'
          ? 'still cannot be used, now for another reason'
          : 'cannot be used and is not asked until it works again';
      logger.warn({ reason }, `the language model ${what}: ${ADVICE[reason]}`);
    } else if (reason === this.#shown) {
      logger.warn(
        { ...this.#facts, reason },
        `the language model answers, but its first test question failed: ${ADVICE[reason]}`,
      );
    } else {
      logger.warn(
        { reason },
        `most answers of the last minutes were written without the language model: ${ADVICE[reason]}`,
      );
    }
  }

  #leave(reason: ModelReason): void {
    this.#left = reason;
    this.#restMs = this.#options.restMs ?? REST_MS;
    this.condition();
    this.#probeLater();
  }

  #probeLater(): void {
    this.#timer = setTimeout(() => void this.#probe(), this.#restMs);
    this.#timer.unref();
  }

  async #probe(): Promise<void> {
    const reason = await this.#options.probe(this.#closed.signal);
    if (this.#closed.signal.aborted) return;
    if (reason !== null) {
      this.#left = reason;
      this.condition();
      this.#restMs = Math.min(2 * this.#restMs, LONGEST_REST_MS);
      this.#probeLater();
      return;
    }
    this.#left = null;
    this.#faults = 0;
    this.#recent = [];
    this.#shown = null;
    this.condition();
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
