import type { AskResponse } from '../../../events/messages/knowledge.ts';
import type { Source } from '../../../kb/source.ts';
import type { Expectation } from './expectation.ts';

/** The result of one question. */
export interface Outcome extends Expectation {
  /** `open` if the question has no expectation. */
  readonly result: 'held' | 'fell' | 'open';
  /** Why the answer is not as expected, in words. */
  readonly why: readonly string[];
  readonly status: AskResponse['status'];
  readonly citations: readonly string[];
}

type Given = Pick<AskResponse, 'status' | 'answer' | 'clarification_question'> & {
  readonly citations: readonly string[];
};

/** Compares an answer of a base with the expectation. */
export function checkAnswer(
  expectation: Expectation,
  { status, answer, citations, clarification_question }: Given,
  sources: readonly Pick<Source, 'id' | 'path'>[],
): Outcome {
  const { expected, says } = expectation;
  const told =
    clarification_question !== null ? 'was asked back' : status === 'refused' ? 'was refused' : null;
  const cited = sources.filter(({ id }) => citations.includes(id));
  const why: string[] = [];
  if (expected === 'refused') {
    if (status !== 'refused') why.push(`was answered, from ${citations.join(', ')}`);
  } else {
    const missing = (expected ?? []).filter((name) => !cited.some((source) => isNamed(name, source)));
    for (const name of missing) {
      if (!sources.some((source) => isNamed(name, source))) why.push(`${name} is no source of the base`);
      else if (status === 'refused') why.push(`${told}, though ${name} is there`);
      else why.push(`does not cite ${name}, but ${citations.join(', ')}`);
    }
  }
  const plain = squeezed(answer);
  for (const words of says) if (!plain.includes(squeezed(words))) why.push(`does not say “${words}”`);
  const result = why.length > 0 ? 'fell' : expected === null ? 'open' : 'held';
  return { ...expectation, result, why, status, citations };
}

/** Whether a source is named by its own id or by the document that it is a passage of. */
const isNamed = (name: string, { id, path }: Pick<Source, 'id' | 'path'>): boolean =>
  name === id || name.normalize('NFC') === path?.normalize('NFC');

const squeezed = (text: string): string => text.replaceAll(/\s+/gu, ' ').toLowerCase();
