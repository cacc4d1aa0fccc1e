import { BelegError } from '../../../events/errors.ts';
import type { ModelReason } from '../../../events/messages/knowledge.ts';
import { PLAN_REPLY_SCHEMA, planPrompt, readPlan } from '../../../kb/answer/plan/model-plan.ts';
import type { Draft, DraftSentence, GenerateInput, Generator } from '../../../kb/answer/ports.ts';
import { squeeze } from '../../../kb/answer/source-sentences.ts';
import { promptOf, type Prompt } from '../../../kb/answer/model/prompt.ts';
import { MODEL_REPLY_SCHEMA, readReply, type ModelReply } from '../../../kb/answer/model/reply.ts';

/** A language model, on a server or in this machine. */
export interface ChatModel {
  readonly name: string;
  /** False while the model is known to be unavailable. */
  readonly ready: boolean;
  /** The number of characters of sources for which the model's context has room. */
  readonly sourceCharacters: number;
  /** Asks the model. Rejects with `MODEL_UNAVAILABLE`, `PromptTooLong`, or with the reason of `signal`. */
  complete(prompt: Asking, signal: AbortSignal): Promise<Completion>;
  /** Notes, for the model's watch, that an ask was answered without the model, and why. */
  note(reason: ModelReason): void;
}

/** A request to a model, and the JSON schema of its reply for servers that can enforce one. */
export interface Asking extends Pick<Prompt, 'system' | 'user'> {
  readonly schema: object;
}

export interface Completion {
  readonly text: string;
  /** Whether the model stopped at its maximum length. */
  readonly isCut: boolean;
}

/** The prompt is too long for the model's context. */
export class PromptTooLong extends Error {
  constructor() {
    super('The prompt is too long for the language model');
    this.name = 'PromptTooLong';
  }
}

/** The fewest characters of sources with which a model is of use. */
export const FEWEST_CHARACTERS = 200;

/**
 * The generator that has a language model write. Its text is a draft like any other and is verified sentence by
 * sentence. If a reply cannot be read, the model is asked once more in other words; if a prompt is too long, it is
 * tried with half as many sources. If neither helps, or the model does not know, there is no draft.
 */
export function createModelGenerator(model: ChatModel): Generator {
  return {
    get name() {
      return model.name;
    },
    get ready() {
      return model.ready;
    },
    async generate(input, signal) {
      const answer = await replyThatFits(model, input, signal);
      if (answer === null) return null;
      const { reply, sources } = answer;
      if (reply.sufficient) return draftOf(reply, sources, input.parts.length);
      model.note('no_answer');
      return null;
    },
    async plan(question, language, signal) {
      const { text } = await model.complete({ ...planPrompt(question), schema: PLAN_REPLY_SCHEMA }, signal);
      return readPlan(text, question, language);
    },
  };
}

async function replyThatFits(
  model: ChatModel,
  input: GenerateInput,
  signal: AbortSignal,
): Promise<{ reply: ModelReply; sources: Prompt['sources'] } | null> {
  let room = model.sourceCharacters;
  while (room >= FEWEST_CHARACTERS) {
    const prompt = promptOf(input, room);
    try {
      const reply = await readableReply(model, prompt, signal);
      return reply === null ? null : { reply, sources: prompt.sources };
    } catch (error) {
      if (!(error instanceof PromptTooLong)) throw error;
      // The new limit is below the length that did not fit, and at most what the server has reported meanwhile.
      room = Math.min(prompt.characters / 2, model.sourceCharacters);
    }
  }
  model.note('context_too_small');
  // If there is no room for any question, the model counts as away. Otherwise only this question may have been too
  // long.
  if (model.sourceCharacters < FEWEST_CHARACTERS) {
    throw new BelegError('MODEL_UNAVAILABLE', { retryAfter: 10 });
  }
  return null;
}

const AGAIN = {
  cut: 'Your last reply was too long and broke off. Reply with at most three claims; each quote is one sentence. Think briefly.',
  unreadable: 'Your last reply was not the requested JSON object. Reply with that object only.',
} as const;

async function readableReply(
  model: ChatModel,
  { system, user }: Prompt,
  signal: AbortSignal,
): Promise<ModelReply | null> {
  const ask = (words: string): Promise<Completion> =>
    model.complete({ system: words, user, schema: MODEL_REPLY_SCHEMA }, signal);
  const first = await ask(system);
  const reply = readReply(first.text);
  if (reply !== null) return reply;
  const second = await ask(`${system}\n${first.isCut ? AGAIN.cut : AGAIN.unreadable}`);
  const mended = readReply(second.text);
  if (mended === null) model.note(second.isCut ? 'reply_cut' : 'reply_unreadable');
  return mended;
}

/** A reference such as `[S1]`, which a model may write although it was told not to. */
const ALIAS = /\s*[[(]S\d{1,2}[\])]/gu;

function draftOf(reply: ModelReply, sources: ReadonlyMap<string, string>, parts: number): Draft {
  const sentences = new Map<string, DraftSentence>();
  for (const claim of reply.claims) {
    const text = squeeze(claim.text.replaceAll(ALIAS, ''));
    if (text === '') continue;
    const id = sources.get(claim.source.trim().replaceAll(/[[\]()]/gu, ''));
    sentences.set(text, {
      kind: 'statement',
      text,
      // An unknown alias cites nothing, so that a model cannot guess an id that it knows from elsewhere.
      citations: id === undefined ? [] : [id],
      quote: claim.quote,
      ...(claim.part !== null && claim.part >= 1 && claim.part <= parts ? { part: claim.part - 1 } : {}),
    });
  }
  return {
    sentences: [...sentences.values()],
    ...(reply.question_back === null ? {} : { questionBack: reply.question_back }),
  };
}
