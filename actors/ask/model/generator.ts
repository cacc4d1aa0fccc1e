import { BelegError, isBelegError } from '../../../events/errors.ts';
import { mayHaveParts, PLAN_REPLY_SCHEMA, planPrompt, readPlan } from '../plan/model-plan.ts';
import type { Draft, DraftSentence, Generator } from '../ports.ts';
import { squeeze } from '../source-sentences.ts';
import { promptOf, type Prompt } from './prompt.ts';
import { MODEL_REPLY_SCHEMA, readReply, type ModelReply } from './reply.ts';

/** A language model behind some server or in this machine. */
export interface ChatModel {
  readonly name: string;
  /** False while it is known not to answer. */
  readonly ready: boolean;
  /** Characters of sources that it is given, where that is less than most take. */
  readonly sourceCharacters?: number;
  /** The model's text. Rejects with `MODEL_UNAVAILABLE`, or with the reason of `signal`. */
  complete(prompt: Asking, signal: AbortSignal): Promise<string>;
}

/** What a model is asked, and the JSON schema of its reply for servers that hold it to one. */
export interface Asking extends Pick<Prompt, 'system' | 'user'> {
  readonly schema: object;
}

/**
 * The generator that has a language model write. What it writes is a draft like any other: verified sentence by sentence.
 * A reply that cannot be read is asked for once more, then it is `MODEL_UNAVAILABLE`.
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
      const prompt = promptOf(input, model.sourceCharacters);
      const asking = { system: prompt.system, user: prompt.user, schema: MODEL_REPLY_SCHEMA };
      const reply = readReply(await model.complete(asking, signal)) ?? (await again(model, asking, signal));
      return reply.sufficient ? draftOf(reply, prompt.sources, input.parts.length, model.name) : null;
    },
    async plan(question, language, signal) {
      if (!mayHaveParts(question)) return null;
      try {
        const text = await model.complete({ ...planPrompt(question), schema: PLAN_REPLY_SCHEMA }, signal);
        return readPlan(text, question, language);
      } catch (error) {
        // The question is searched for as it stands; whether the model writes, its next call shows.
        if (isBelegError(error, 'MODEL_UNAVAILABLE')) return null;
        throw error;
      }
    },
  };
}

async function again(model: ChatModel, asking: Asking, signal: AbortSignal): Promise<ModelReply> {
  const system = `${asking.system}\nYour last reply was not the JSON object that is asked for. Reply with that object only.`;
  const reply = readReply(await model.complete({ ...asking, system }, signal));
  if (reply === null) {
    throw new BelegError('MODEL_UNAVAILABLE', {
      detail: 'The language model does not answer as it is asked to',
    });
  }
  return reply;
}

/** `[S1]`, as a model may write in spite of all. */
const ALIAS = /\s*[[(]S\d{1,2}[\])]/gu;

function draftOf(
  reply: ModelReply,
  sources: ReadonlyMap<string, string>,
  parts: number,
  writer: string,
): Draft {
  const sentences = new Map<string, DraftSentence>();
  for (const claim of reply.claims) {
    const text = squeeze(claim.text.replaceAll(ALIAS, ''));
    if (text === '') continue;
    const id = sources.get(claim.source.trim().replaceAll(/[[\]()]/gu, ''));
    sentences.set(text, {
      kind: 'statement',
      text,
      // What is no alias is cited as nothing: a model may know ids from elsewhere, and none is to be had by guessing.
      citations: id === undefined ? [] : [id],
      quote: claim.quote,
      ...(claim.part !== null && claim.part >= 1 && claim.part <= parts ? { part: claim.part - 1 } : {}),
    });
  }
  return {
    sentences: [...sentences.values()],
    writer,
    ...(reply.question_back === null ? {} : { questionBack: reply.question_back }),
  };
}
