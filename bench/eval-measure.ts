import type { AskResponse } from '../events/messages/knowledge.ts';
import type { Question } from './eval-sets.ts';

/** Shares, 0 … 1; `NaN` where there is nothing to count. */
export interface Measures {
  /** Share of the answerable questions that were answered. */
  answered: number;
  /** Share of the unanswerable questions that were refused. */
  refused: number;
  /** Share of the answered answerable questions whose answer cites a right source. */
  goldCited: number;
  /** Share of the answered answerable questions with a known wording whose answer has a right one. */
  goldInAnswer: number;
  /** Sentences quoted in an answer, on average. */
  sentences: number;
  /** Shares of the answerable questions with a right source in first place, and among the first ten. */
  hitAt1: number;
  hitAt10: number;
}

type Answered = Pick<AskResponse, 'status' | 'citations' | 'answer'> & { readonly hits: readonly string[] };

/** The figures that matter most, as the scorer beside the data counts them. */
export function measure(questions: readonly Question[], responses: ReadonlyMap<string, Answered>): Measures {
  const rows = questions.flatMap((question) => {
    const response = responses.get(question.id);
    return response === undefined ? [] : [{ question, response }];
  });
  const answerable = rows.filter(({ question }) => question.expect === 'answered');
  const unanswerable = rows.filter(({ question }) => question.expect === 'refused');
  const answered = answerable.filter(({ response }) => response.status === 'answered');
  const hitAt = (k: number): number =>
    share(answerable, ({ question, response }) =>
      response.hits.slice(0, k).some((id) => question.gold.includes(id)),
    );
  return {
    answered: answered.length / answerable.length,
    refused: share(unanswerable, ({ response }) => response.status === 'refused'),
    goldCited: share(answered, ({ question, response }) =>
      response.citations.some((id) => question.gold.includes(id)),
    ),
    goldInAnswer: share(
      answered.filter(({ question }) => question.answers.length > 0),
      ({ question, response }) => holdsOneOf(response.answer, question.answers),
    ),
    sentences:
      answered.reduce(
        (sum, { response }) => sum + (response.answer.match(/(?:\[[\w.-]+\])+/gu)?.length ?? 0),
        0,
      ) / answered.length,
    hitAt1: hitAt(1),
    hitAt10: hitAt(10),
  };
}

function share<T>(rows: readonly T[], test: (row: T) => boolean): number {
  return rows.filter(test).length / rows.length;
}

export function holdsOneOf(text: string, wordings: readonly string[]): boolean {
  const plain = normalise(text.replaceAll(/\[[A-Za-z0-9][\w.-]*\]/gu, ' '));
  return wordings.map(normalise).some((wording) => wording !== '' && plain.includes(wording));
}

function normalise(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_%§€]+/gu, ' ')
    .trim();
}
