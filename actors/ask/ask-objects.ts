import { passagesFor } from '../../kb/answer/extractive/passages.ts';
import { objectsOf, spelledOut, type AskedObject } from '../../kb/answer/plan/objects.ts';
import type { Part, Retriever } from '../../kb/answer/ports.ts';
import type { Hit } from '../../kb/hit.ts';
import { FOUND } from '../../kb/ranking/match.ts';
import type { Language } from '../../kb/source.ts';

/**
 * The parts of a question that asks the same of several things (`U1 und U2`), if the answer covers one of them and not
 * another: that one is searched for alone. Empty if the answer covers all of them, or none.
 *
 * @param asked what was found for all of the question
 * @param find what is found for one thing alone
 */
export async function partsOfObjects(
  retriever: Retriever,
  question: string,
  language: Language,
  asked: readonly Hit[],
  find: (question: string) => Promise<readonly Hit[]>,
): Promise<readonly Part[]> {
  const objects = objectsOf(question, language);
  const told = passagesFor(question, asked);
  if (objects.length < 2 || told.length === 0 || told.some(({ match }) => match === undefined)) return [];
  const texts = asked.map(({ source }) => `${source.title} ${source.text}`);
  const named = objects.map((each) => ({
    ...each,
    name: spelledOut(each.text, objects.at(-1)!.text, texts),
    isTold: told.some((hit) => speaksOf(hit, each)),
  }));
  if (named.every(({ isTold }) => isTold) || !named.some(({ isTold }) => isTold)) return [];
  return Promise.all(
    named.map(async ({ text, name, isTold, question: alone }): Promise<Part> => {
      const part = alone.replace(text, name);
      if (isTold) return { question: part, covered: true, hits: asked };
      const hits = await find(part);
      const [best] = hits;
      const isNamed = best !== undefined && occursIn(name, best);
      return { question: part, covered: isNamed && retriever.coverage(part, hits).covered, hits };
    }),
  );
}

/** Whether a hit contains the words of a thing that the question names, or synonyms of them. */
function speaksOf({ match }: Hit, { start, end }: AskedObject): boolean {
  const places = match!.words.flatMap((word, k) => (word.start >= start && word.end <= end ? [k] : []));
  return places.every((k) => match!.found[k]! >= FOUND);
}

const occursIn = (name: string, { source: { title, section, text } }: Hit): boolean =>
  `${title} ${section} ${text}`.toLowerCase().includes(name.toLowerCase());
