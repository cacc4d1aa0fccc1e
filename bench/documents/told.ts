import type { CollectionQuestion } from './collection-set.ts';

/** What an answer tells of one passage, without its ids. */
export interface ToldPassage {
  readonly id: string;
  readonly text: string;
}

/** What an answer tells, passage by passage in its order; what follows the last citation is the service's own. */
export function passagesTold(answer: string, citations: readonly string[]): readonly ToldPassage[] {
  const told: { id: string; text: string }[] = [];
  let from = 0;
  for (const mark of answer.matchAll(/(?:\s?\[[\w.-]+\])+/gu)) {
    const id = /\[([\w.-]+)\]/u.exec(mark[0])![1]!;
    if (!citations.includes(id)) continue;
    const text = answer.slice(from, mark.index);
    from = mark.index + mark[0].length;
    const last = told.at(-1);
    if (last?.id === id) last.text += text;
    else told.push({ id, text });
  }
  return told;
}

/**
 * Whether what is told answers without a passage before it that has nothing of the answer: a reader does not look for the
 * sentence that answers behind others.
 *
 * @param headingsOf the headings of a passage, which the reader sees beside its text
 */
export function answersAtOnce(
  { key }: Pick<CollectionQuestion, 'key'>,
  told: readonly ToldPassage[],
  headingsOf: (id: string) => string,
): boolean {
  let open = key;
  for (const { id, text } of told) {
    const plain = `${headingsOf(id)} ${text}`.replaceAll(/\s+/gu, ' ');
    const left = open.filter((each) => !each.test(plain));
    if (left.length === 0) return true;
    if (left.length === open.length) return false;
    open = left;
  }
  return false;
}

/** Words of what is told, up to those of passages that have something of the answer. */
export function wordsTold(
  { key }: Pick<CollectionQuestion, 'key'>,
  told: readonly ToldPassage[],
): { readonly all: number; readonly ofTheAnswer: number } {
  const words = ({ text }: ToldPassage): number => text.split(/\s+/u).filter((word) => word !== '').length;
  const sum = (some: readonly ToldPassage[]): number => some.reduce((all, each) => all + words(each), 0);
  return {
    all: sum(told),
    ofTheAnswer: sum(told.filter(({ text }) => key.some((each) => each.test(text.replaceAll(/\s+/gu, ' '))))),
  };
}
