import type { Logger } from 'pino';
import type { ModelCondition, ModelFigures, ModelReason } from '../../../events/messages/knowledge.ts';
import { ADVICE } from './failure-reasons.ts';

interface WatchOptions {
  /** Sends the model one small question; returns `null` if the reply is usable, else the reason. Never rejects. */
  readonly probe: (signal: AbortSignal) => Promise<ModelReason | null>;
  /** Facts about the model for the log line at the start, as far as they are known by then. */
  readonly facts?: () => object;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Milliseconds between the first two probes. */
  readonly restMs?: number | undefined;
}

/**
 * The weight of each failure. Once failures in a row add up to `LEAVES_AT`, the model gets no requests for a while.
 * Faults of address, key or context affect every question; a failure that used up the time of an ask counts double; a
 * request that does not suit the model does not count.
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

/** Only asks within this time window are evaluated, and only once there are at least `MIN_ASKS` of them. */
const WINDOW_MS = 5 * 60_000;
const MIN_ASKS = 4;

const REST_MS = 10_000;
const LONGEST_REST_MS = 60_000;

/**
 * Watches a language model (a circuit breaker). After repeated failures the model gets no requests for a while; then a
 * probe, not a user's question, finds out whether it works again. It also reports the model's condition.
 */
export function watchModel({ probe, logger, now, ...options }: WatchOptions) {
  const closing = new AbortController();
  const calls: Record<string, number> = {};
  const asks: Record<string, number> = {};
  let callMs = 0;
  let promptTokens = 0;
  let completionTokens = 0;
  let recent: { readonly at: number; readonly reason: ModelReason | null }[] = [];
  let faults = 0;
  let newest: ModelReason = 'unreachable';
  /** The result of the first probe, until the model has written an answer. */
  let shown: ModelReason | null = null;
  /** Why the model gets no requests; `null` if it does. */
  let left: ModelReason | null = null;
  let restMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let last: ModelCondition = { state: 'ready', since: now().toISOString(), reason: null };

  const facts = (): object => options.facts?.() ?? {};

  function condition(): ModelCondition {
    const at = now();
    recent = recent.filter((ask) => ask.at > at.getTime() - WINDOW_MS);
    const { state, reason } = judge();
    const before = last;
    if (state === before.state && reason === before.reason) return before;
    last = { state, since: state === before.state ? before.since : at.toISOString(), reason };
    tell(before.state);
    return last;
  }

  function judge(): Pick<ModelCondition, 'state' | 'reason'> {
    if (left !== null) return { state: 'away', reason: left };
    const without = recent.flatMap(({ reason }) => reason ?? []);
    if (recent.length < MIN_ASKS || without.length * 2 <= recent.length) {
      return { state: shown === null ? 'ready' : 'degraded', reason: shown };
    }
    // A fault from some minutes ago may be repaired by now.
    return { state: 'degraded', reason: without.at(-1)! };
  }

  /** Logs each change of state, with advice. */
  function tell(before: ModelCondition['state']): void {
    const { state, reason } = last;
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
    } else if (reason === shown) {
      logger.warn(
        { ...facts(), reason },
        `the language model answers, but its first test question failed: ${ADVICE[reason]}`,
      );
    } else {
      logger.warn(
        { reason },
        `most answers of the last minutes were written without the language model: ${ADVICE[reason]}`,
      );
    }
  }

  function leave(reason: ModelReason): void {
    left = reason;
    restMs = options.restMs ?? REST_MS;
    condition();
    probeLater();
  }

  function probeLater(): void {
    timer = setTimeout(() => void probeAgain(), restMs);
    timer.unref();
  }

  async function probeAgain(): Promise<void> {
    const reason = await probe(closing.signal);
    if (closing.signal.aborted) return;
    left = reason;
    if (reason === null) {
      faults = 0;
      recent = [];
      shown = null;
    }
    condition();
    if (reason === null) return;
    restMs = Math.min(2 * restMs, LONGEST_REST_MS);
    probeLater();
  }

  return {
    /** Whether the model gets requests. */
    get isAsked() {
      return left === null;
    },

    /** Records the end of a call. */
    called(
      outcome: 'answered' | 'left' | ModelReason,
      ms: number,
      tokens: { readonly prompt: number; readonly completion: number } = { prompt: 0, completion: 0 },
    ): void {
      count(calls, outcome);
      callMs += ms;
      promptTokens += tokens.prompt;
      completionTokens += tokens.completion;
    },

    /** Records a fault. With `isOfAsk` the ask itself may be its cause, so it counts at most once. */
    note(reason: ModelReason, { isOfAsk = false } = {}): void {
      newest = reason;
      faults += isOfAsk ? Math.min(1, WEIGHTS[reason]) : WEIGHTS[reason];
      if (left === null && faults >= LEAVES_AT) leave(reason);
    },

    /** Records the end of an ask that the model should have written. */
    asked({ written }: { readonly written: boolean }): void {
      const reason = written ? null : (left ?? newest);
      recent.push({ at: now().getTime(), reason });
      if (written) {
        faults = 0;
        shown = null;
      }
      count(asks, reason ?? 'written');
      condition();
    },

    condition,

    figures: (): ModelFigures => ({
      calls: { ...calls },
      call_seconds: callMs / 1_000,
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      asks: { ...asks },
    }),

    /** Probes the model once, at the start. Resolves with the reason if it is unusable; never rejects. */
    async look(): Promise<ModelReason | null> {
      const reason = await probe(closing.signal);
      if (closing.signal.aborted || left !== null) return reason;
      if (reason === null) logger.info(facts(), 'the language model answers');
      else if (WEIGHTS[reason] >= 2 || reason === 'server_error') leave(reason);
      else shown = reason;
      condition();
      return reason;
    },

    close(): void {
      closing.abort();
      clearTimeout(timer);
    },
  };
}

export type ModelWatch = ReturnType<typeof watchModel>;

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
