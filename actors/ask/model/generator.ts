import { BelegError } from '../../../events/errors.ts';
import type { Draft, DraftSentence, Generator } from '../ports.ts';
import { squeeze } from '../source-sentences.ts';
import { promptOf, type Prompt } from './prompt.ts';
import { readReply, type ModelReply } from './reply.ts';

/** A language model behind some server or in this machine. */
export interface ChatModel {
  readonly name: string;
  /** False while it is known not to answer. */
  readonly ready: boolean;
  /** Characters of sources that it is given, where that is less than most take. */
  readonly sourceCharacters?: number;
  /** The model's text. Rejects with `MODEL_UNAVAILABLE`, or with the reason of `signal`. */
  complete(prompt: Pick<Prompt, 'system' | 'user'>, signal: AbortSignal): Promise<string>;
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
      const reply = readReply(await model.complete(prompt, signal)) ?? (await again(model, prompt, signal));
      return reply.sufficient ? draftOf(reply, prompt.sources, input.parts.length, model.name) : null;
    },
  };
}

async function again(model: ChatModel, prompt: Prompt, signal: AbortSignal): Promise<ModelReply> {
  const system = `${prompt.system}\nYour last reply was not the JSON object that is asked for. Reply with that object only.`;
  const reply = readReply(await model.complete({ system, user: prompt.user }, signal));
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
