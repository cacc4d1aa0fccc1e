import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  FEWEST_CHARACTERS,
  PromptTooLong,
  type Asking,
  type ChatModel,
  type Completion,
} from '../../../actors/ask/model/generator.ts';
import { BelegError, isBelegError } from '../../../events/errors.ts';
import type { ModelReason } from '../../../events/messages/knowledge.ts';
import { contextTold, isAboutContext, isRefusal, postChat, retryAfterMs } from './post-chat.ts';
import { ChatCompletion, otherProtocolAnswers } from './protocol.ts';
import { probe } from './probe.ts';
import { detailOf, reasonOf } from './failure-reasons.ts';
import { askContext, divide, SMALLEST_CONTEXT } from './context-size.ts';
import { watchModel, type ModelWatch } from './circuit-breaker.ts';

interface ModelServerOptions {
  /** The address of an OpenAI-compatible server, with its version: `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly name: string;
  readonly key: string | null;
  /**
   * The size of the model's context in tokens; `null` for the size that the server reports, or else the smallest common
   * size.
   */
  readonly context: number | null;
  /** Milliseconds in which a usable server answers a small question. */
  readonly probeMs: number;
  readonly logger: Logger;
  readonly now?: () => Date;
  /** Milliseconds between the first two probes of a server that gets no requests. */
  readonly restMs?: number;
}

export interface ModelServer {
  readonly chat: ChatModel;
  readonly watch: ModelWatch;
}

/** Milliseconds in which a server that has refused a schema gets requests without one. */
const PLAIN_MS = 10 * 60_000;

/** The form of a request, which not every server supports. */
interface Form {
  /** Whether the reply is bound to a JSON schema. */
  readonly schema: boolean;
  /** Whether thinking is turned off, because the model has used up its tokens by thinking. */
  readonly briefly: boolean;
}
const PLAIN: Form = { schema: false, briefly: false };

/**
 * A chat model on an OpenAI-compatible server (Ollama, llama.cpp, vLLM …), with its watch. It is as deterministic as
 * the server: temperature 0 and a seed. After a failed connection or a 5xx the request is tried once more. Neither
 * prompt nor reply is logged, nor an error that may contain parts of them.
 */
export function openModelServer(options: ModelServerOptions): ModelServer {
  const { url, name, key, probeMs, now = () => new Date() } = options;
  const logger = options.logger.child({ model: name, server: new URL(url).origin });
  const assumed = options.context ?? SMALLEST_CONTEXT;
  let context = assumed;
  const hasRoom = (): boolean => divide(context).sourceCharacters >= FEWEST_CHARACTERS;
  let plainUntil = 0;
  let thinks = false;

  const send = async ({ system, user, schema }: Asking, form: Form, signal: AbortSignal) => {
    const completion = await postChat(
      { url, key },
      {
        model: name,
        temperature: 0,
        seed: 0,
        max_tokens: divide(context).replyTokens,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
        ...(form.schema
          ? {
              response_format: {
                type: 'json_schema',
                json_schema: { name: 'reply', strict: true, schema: { ...schema } },
              },
            }
          : {}),
        ...(form.briefly ? { chat_template_kwargs: { enable_thinking: false } } : {}),
      },
      signal,
    );
    return ChatCompletion.parse(completion);
  };

  /** Whether the server refused the schema or the request itself only shows with a request without a schema. */
  const sendInSomeForm = async (prompt: Asking, signal: AbortSignal) => {
    const form = now().getTime() < plainUntil ? PLAIN : { schema: true, briefly: thinks };
    try {
      return await send(prompt, form, signal);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const told = contextTold(error);
      if (told !== null && told < context) context = told;
      if (told !== null || isAboutContext(error)) throw new PromptTooLong();
      if (!form.schema && !form.briefly) throw error;
      const completion = await send(prompt, PLAIN, signal);
      plainUntil = now().getTime() + PLAIN_MS;
      logger.info(
        'the model server does not support a JSON schema for its reply; for ten minutes the prompt describes the form instead',
      );
      return completion;
    }
  };

  const sendAgain = async (prompt: Asking, signal: AbortSignal) => {
    try {
      return await sendInSomeForm(prompt, signal);
    } catch (error) {
      const waitMs = signal.aborted ? null : retryAfterMs(error);
      if (waitMs === null) throw error;
      await pause(waitMs, undefined, { signal }).catch(() => undefined);
      return sendInSomeForm(prompt, signal);
    }
  };

  const complete = async (prompt: Asking, signal: AbortSignal): Promise<Completion> => {
    const began = performance.now();
    const ended = (
      outcome: Parameters<ModelWatch['called']>[0],
      tokens?: Parameters<ModelWatch['called']>[2],
    ): void => watch.called(outcome, performance.now() - began, tokens);
    try {
      const { choices, usage } = await sendAgain(prompt, signal);
      const { message, finish_reason } = choices[0]!;
      const thought = message.reasoning_content ?? message.reasoning ?? '';
      const isCut = finish_reason === 'length';
      if (isCut && thought !== '' && !thinks) {
        thinks = true;
        logger.info('the model spends its whole reply on thinking; thinking is switched off from now on');
      }
      ended('answered', { prompt: usage?.prompt_tokens ?? 0, completion: usage?.completion_tokens ?? 0 });
      // Some servers return a reply that follows a schema as the model's thinking.
      return { text: message.content || thought, isCut };
    } catch (error) {
      if (error instanceof PromptTooLong) {
        ended('context_too_small');
        throw error;
      }
      if (signal.aborted && !isBelegError(signal.reason, 'MODEL_UNAVAILABLE')) {
        ended('left');
        throw signal.reason;
      }
      const reason = reasonOf(error, signal);
      const fault =
        reason === 'timeout'
          ? `no answer within ${((performance.now() - began) / 1_000).toFixed(1)} s`
          : detailOf(error);
      logger.warn({ reason, fault }, 'a call of the model server failed');
      ended(reason);
      // The error has no cause, because a server may repeat the prompt in its error.
      throw new FailedCall(reason);
    }
  };

  const chat: ChatModel = {
    name,
    get ready() {
      return watch.isAsked;
    },
    get sourceCharacters() {
      return divide(context).sourceCharacters;
    },
    // If the context has room for other questions, this one may be too long.
    note: (reason) => watch.note(reason, { isOfAsk: reason === 'context_too_small' && hasRoom() }),
    complete: async (prompt, signal) => {
      if (!watch.isAsked) throw new BelegError('MODEL_UNAVAILABLE', { retryAfter: 10 });
      return complete(prompt, signal).catch((error: unknown) => {
        if (error instanceof FailedCall) watch.note(error.reason);
        throw error;
      });
    },
  };

  let isKnown = options.context !== null;
  const watch = watchModel({
    logger,
    now,
    restMs: options.restMs,
    facts: () => ({ context, context_known: isKnown }),
    probe: async (closed) => {
      const signal = AbortSignal.any([closed, AbortSignal.timeout(probeMs)]);
      const told = await askContext(options, signal);
      // Most servers do not answer a client that speaks the wrong protocol. This is found out now, so that no question
      // has to wait for it.
      if (told === 'silent' && (await otherProtocolAnswers(url))) return 'wrong_protocol';
      // The size is read each time, because the server may have restarted with another one.
      context = typeof told === 'number' ? Math.min(told, options.context ?? told) : assumed;
      isKnown ||= typeof told === 'number';
      return (await probed(signal)) ?? (hasRoom() ? null : 'context_too_small');
    },
  });

  const probed = async (signal: AbortSignal): Promise<ModelReason | null> => {
    // `complete` recognises by this code that the time is over.
    const late = new AbortController();
    const end = (): void => late.abort(new BelegError('MODEL_UNAVAILABLE'));
    signal.addEventListener('abort', end, { once: true });
    try {
      return await probe({ ...chat, complete }, late.signal);
    } catch (error) {
      return error instanceof FailedCall ? error.reason : 'unreachable';
    } finally {
      signal.removeEventListener('abort', end);
    }
  };

  return { chat, watch };
}

/** A failed call and its reason. */
class FailedCall extends BelegError {
  readonly reason: ModelReason;

  constructor(reason: ModelReason) {
    super('MODEL_UNAVAILABLE', { retryAfter: 5 });
    this.reason = reason;
  }
}
