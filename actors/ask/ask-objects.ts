import { plainAnalysis } from '../../kb/analysis/analysis.ts';
import { similarity } from '../../kb/analysis/similarity.ts';
import type { Word } from '../../kb/analysis/word.ts';
import { goesOnIn, passagesFor } from '../../kb/answer/extractive/passages.ts';
import { objectsOf, spelledOut } from '../../kb/answer/plan/objects.ts';
import type { Found } from './retrieve.ts';
import type { Hit } from '../../kb/hit.ts';
import { FOUND } from '../../kb/ranking/match.ts';
import type { Language } from '../../kb/source.ts';

/**
 * The parts of a question that asks one thing about several objects (`U1 und U2`). Each object is searched for alone,
 * but hits of the whole question are used instead if they are about the object and are likelier to answer. Empty if a
 * passage that answers names all objects together in the question's words, or if the base answers for none of them.
 *
 * @param asked the result of the search for the whole question.
 * @param findAlone searches for one object alone.
 */
export async function partsOfObjects(
  asked: Found,
  language: Language,
  findAlone: (question: string) => Promise<Found>,
): Promise<readonly Found[]> {
  const row = objectsOf(asked.question, language);
  if (row === null) return [];
  const told = asked.coverage.covered ? passagesFor(asked.question, asked.hits) : [];
  if (told.some(({ source: { title, text } }) => `${title}\n${text}`.includes(row.text))) return [];
  const texts = asked.hits.map(({ source }) => `${source.title} ${source.text}`);
  const things = row.objects.map(({ text, question }) => {
    const name = spelledOut(text, row.objects.at(-1)!.text, texts);
    return { words: plainAnalysis.words(name, language), question: question.replace(text, name) };
  });
  const parts = await Promise.all(
    things.map(async ({ words, question }): Promise<Found> => {
      const speaking = told.filter((hit) => speaksOf(hit, words, things));
      const together = told.filter((hit) =>
        speaking.some((each) => each === hit || goesOnIn(each.source, hit.source)),
      );
      const alone = await findAlone(question);
      const covered = alone.coverage.covered && isFound(words, alone.hits[0]!);
      const isLikelier = !covered || asked.coverage.relevance >= alone.coverage.relevance;
      return together.length > 0 && isLikelier
        ? { question, hits: together, coverage: asked.coverage }
        : { ...alone, coverage: { ...alone.coverage, covered } };
    }),
  );
  return parts.some(({ coverage }) => coverage.covered) ? parts : [];
}

/** An object of the question. */
interface Thing {
  readonly words: readonly Word[];
}

/** Whether a hit is about an object. A hit whose title has another object, and not this one, only mentions it. */
function speaksOf(hit: Hit, thing: readonly Word[], things: readonly Thing[]): boolean {
  const { title, section, text, lang } = hit.source;
  const inTitle = plainAnalysis.words(title, lang);
  if (names(hit, inTitle, thing)) return true;
  if (things.some(({ words }) => names(hit, inTitle, words))) return false;
  return names(hit, plainAnalysis.words(`${section} ${text}`, lang), thing);
}

/** Two words with at least this similarity count as equal. */
const ALIKE = 0.75;

const names = ({ synonyms }: Hit, said: readonly Word[], thing: readonly Word[]): boolean =>
  thing.every((word) =>
    said.some((other) => isSame(word, other) || synonyms?.get(word.term)?.includes(other.term) === true),
  );

/**
 * Whether a word of a text is the word of an object, or a compound with it. A part of the word (`Meldung` of
 * `Unfallmeldung`) does not count.
 */
const isSame = (asked: Word, said: Word): boolean =>
  similarity(asked, said) >= ALIKE && (asked.term === said.term || !asked.folded.includes(said.term));

/** Whether the search for an object alone found the object's words. */
const isFound = (thing: readonly Word[], { match }: Hit): boolean =>
  match === undefined ||
  thing.every(({ term }) => match.words.every((word, k) => word.term !== term || match.found[k]! >= FOUND));
