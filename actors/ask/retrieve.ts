import type { Coverage } from '../../kb/knowledge.ts';
import type { Hit, SearchOptions } from '../../kb/hit.ts';
import type { AskContext, Retrieved } from './ask-context.ts';
import { answersAnother } from '../../kb/answer/another-question.ts';
import { isTellable } from '../../kb/answer/extractive/excerpt.ts';
import { plainAnalysis } from '../../kb/analysis/analysis.ts';
import type { Word } from '../../kb/analysis/word.ts';
import { similarity } from '../../kb/analysis/similarity.ts';
import { listAcross, passagesFor } from '../../kb/answer/extractive/passages.ts';
import { idBeside } from '../../kb/documents/ids.ts';
import { LATER_PART_ALONE, LATER_PART_FOUND, RELEVANT } from '../../kb/answer-thresholds.ts';
import { currentHits } from '../../kb/answer/validity.ts';
import { readingsOf } from './ask-back.ts';
import { sentencesOf } from '../../kb/answer/source-sentences.ts';
import { MOST_TOLD, onlyAsks } from '../../kb/ranking/coverage.ts';
import { answerTypeOf } from '../../kb/ranking/answer-type.ts';
import { figureAsked, isOfFigure, TIME_STATED } from '../../kb/ranking/figure-asked.ts';
import type { Match } from '../../kb/ranking/fit.ts';
import { FOUND } from '../../kb/ranking/match.ts';
import { namesSubject, standsAlone, wordsAsked } from '../../kb/answer/plan/leaning.ts';
import type { Language, Source } from '../../kb/source.ts';
import { questionInStory } from '../../kb/answer/plan/pasted.ts';
import { plan } from '../../kb/answer/plan/plan.ts';
import { partsOfObjects } from './ask-objects.ts';
import type { Part, Retriever } from '../../kb/answer/ports.ts';

/** Searches for a question. If nothing answers a long story, it searches for the question in the story alone. */
export async function retrieveAsked(context: AskContext): Promise<Retrieved> {
  const found = await retrieve(context, context.queries);
  const asked = isCovered(found) ? null : questionInStory(context.asked, context.language);
  if (asked === null) return found;
  const queries = plan(asked);
  const ofQuestion = await retrieve({ ...context, asked }, queries);
  if (isCovered(ofQuestion)) return { ...ofQuestion, inStory: { asked, queries } };
  // The words that are missing are those of the question, not of its story.
  return { ...found, coverage: { ...found.coverage, missing: ofQuestion.coverage.missing } };
}

const isCovered = ({ coverage, parts }: Retrieved): boolean =>
  coverage.covered || parts.some(({ covered }) => covered);

/** Searches all planned queries and takes the best hits of each in turn: the whole question first, then its parts. */
export async function retrieve(context: AskContext, queries: readonly string[]): Promise<Retrieved> {
  const { retriever } = context.ports;
  const { top_k: topK } = context.input;
  const [question = context.asked, ...planned] = queries;
  const [asked, ofFacts] = await Promise.all([
    find(retriever, question, { topK: planned.length === 0 ? topK : Math.max(topK, CANDIDATES) }),
    searchFacts(context),
  ]);
  const questions =
    planned.length === 0
      ? [foundFor(retriever, question, asked)]
      : await findParts(retriever, question, planned, context.language, topK);
  const parts = await withObjects(retriever, questions, context.language, topK);
  const isWhole = parts.length === 1;
  const readings = isWhole ? await readingsOf(retriever, question, asked) : [];
  const hits = withRests(retriever, interleave([asked, ...parts.map((part) => part.hits)]).slice(0, topK));
  /** The sources that the checks of a review cite. */
  const rests = new Set(context.review?.checks.flatMap(({ source_ids }) => source_ids));
  return {
    hits,
    coverage: isWhole
      ? coverageOfWhole(parts[0]!.coverage, readings)
      : coverageOfParts(parts.map(({ coverage }) => coverage)),
    readings,
    // A part also has its hits if they cover it only by half: the answer then gives the half that fits.
    parts: isWhole
      ? []
      : parts.map(({ coverage, question, hits: ofPart }) => ({
          question,
          hits: withRests(retriever, ofPart),
          covered: coverage.covered,
        })),
    related: ofFacts,
    cited: [...rests].flatMap((id) => retriever.source(id) ?? []),
    asOf: retriever.about?.asOf ?? null,
    law: retriever.about?.law ?? null,
    indexHash: retriever.hash,
  };
}

/** The hits, followed by passages that were not found but contain the rest of a list in a hit that may be quoted. */
function withRests(retriever: Retriever, hits: readonly Hit[]): readonly Hit[] {
  const rests = hits
    .slice(0, MOST_TOLD)
    .filter(({ source }) => source.units !== undefined)
    .flatMap(({ source }) =>
      listAcross(source, (at, steps) => retriever.source(idBeside(at.id, steps))).flatMap(({ rest }) => rest),
    );
  const all = [...hits];
  for (const source of rests)
    if (!all.some((hit) => hit.source.id === source.id))
      all.push({ source, score: 0, passages: [{ source, text: source.text, start: 0 }], referenced: false });
  return all;
}

/** Searches one query after the other: a review may have eighty, and other asks have to get a turn. */
async function searchFacts({
  factQueries,
  ports: { retriever },
  input,
}: AskContext): Promise<(readonly Hit[])[]> {
  const found: (readonly Hit[])[] = [];
  for (const query of factQueries)
    found.push(await retriever.search(query, { topK: input.top_k, forFact: true }));
  return found;
}

/** The number of sources to find for a whole question that has parts. */
const CANDIDATES = 10;

/**
 * The hits, beginning with the first one that has a sentence to quote, because the answer is judged only by sources
 * that it can quote. Hits that say yes or no to another question come last.
 */
async function find(retriever: Retriever, question: string, options: SearchOptions): Promise<readonly Hit[]> {
  const found = await retriever.search(question, options);
  const last = found.filter(({ source }) => answersAnother(question, source));
  const hits = [...found.filter((hit) => !last.includes(hit)), ...last];
  const first = hits.findIndex(({ source }) => isTellable(source));
  return first === -1 ? [] : hits.slice(first);
}

/** The result of a search for a question, or for a part of it. */
export interface Found extends Omit<Part, 'covered'> {
  readonly coverage: Coverage;
}

/** The questions. One that asks about several objects is replaced by one question for each. */
async function withObjects(
  retriever: Retriever,
  questions: readonly Found[],
  language: Language,
  topK: number,
): Promise<readonly Found[]> {
  const parts = await Promise.all(
    questions.map(async (asked) => {
      const objects = await partsOfObjects(asked, language, (alone) => findAlone(retriever, alone, topK));
      return objects.length === 0 ? [asked] : objects;
    }),
  );
  return parts.flat();
}

/**
 * Searches for each part. A part that is a question of its own is searched for and covered as such. Any other part, or
 * one for which nothing is found alone, depends on the last independent question before it, and is searched for among
 * the hits of both together.
 */
async function findParts(
  retriever: Retriever,
  question: string,
  parts: readonly string[],
  language: Language,
  topK: number,
): Promise<readonly Found[]> {
  const isOwn = parts.map((part, i) => i === 0 || standsAlone(part, question, language));
  const alone = await Promise.all(
    parts.map((part, i) => (isOwn[i]! ? findAlone(retriever, part, topK) : Promise.resolve(null))),
  );
  /** The index of the question that a part belongs to: its own, or that of the question that it depends on. */
  const leads = alone.map((found, i) =>
    i === 0 || found?.coverage.covered === true ? i : isOwn.lastIndexOf(true, i - 1),
  );
  return Promise.all(
    parts.map(async (part, i) => {
      const lead = alone[leads[i]!]!;
      if (leads[i] === i) {
        const before = i === 0 ? null : alone[isOwn.lastIndexOf(true, i - 1)]!;
        return before === null || wordsAsked(part, language).length > 1
          ? lead
          : ofItsPage(lead, await findLeaning(retriever, part, before, topK), before);
      }
      const leaning = await findLeaning(retriever, part, lead, topK);
      if (lead.coverage.covered && isToldWith(lead, part, language))
        return { ...leaning, hits: lead.hits, coverage: { ...leaning.coverage, covered: true } };
      const found = toldOrOpen(leaning, language);
      if (found.coverage.covered || !lead.coverage.covered) return found;
      // The persons of an action are named where the action is described (`Who takes minutes, and who gets them?`).
      const isToldThere = answerTypeOf(part) === 'person' && !namesSubject(part, question, language);
      return isToldThere
        ? { ...found, hits: lead.hits, coverage: { ...found.coverage, covered: true } }
        : onSamePage(alone[i] ?? found, lead);
    }),
  );
}

/**
 * A part of one word (`and what happens to my data?`) is answered by the page that answers the previous part, if that
 * page contains it.
 */
const ofItsPage = (alone: Found, leaning: Found, { hits: [before] }: Found): Found =>
  leaning.coverage.covered &&
  before?.source.path !== undefined &&
  leaning.hits[0]?.source.path === before.source.path
    ? leaning
    : alone;

/**
 * Passages for a part on the page that answers the previous part: a page about several steps need not repeat its
 * subject in each.
 */
function onSamePage(found: Found, { hits: [lead] }: Found): Found {
  const page = lead?.source.path;
  if (page === undefined || found.coverage.otherYears !== null) return found;
  const ofPage = found.hits.filter(({ source }) => source.path === page);
  const there = withFigure(found.question, ofPage).filter(
    ({ match }) => match !== undefined && hasAllAsked(match),
  );
  return there.length === 0
    ? found
    : { ...found, hits: there, coverage: { ...found.coverage, covered: true } };
}

/** Whether a passage has every word of a part, except words that only ask. */
const hasAllAsked = ({ words, found }: Match): boolean => {
  const asked = words.flatMap((word, k) => (onlyAsks(word) ? [] : found[k]!));
  return asked.length > 0 && asked.every((value) => value >= FOUND);
};

async function findAlone(retriever: Retriever, question: string, topK: number): Promise<Found> {
  return foundFor(retriever, question, await find(retriever, question, { topK }));
}

const foundFor = (retriever: Retriever, question: string, hits: readonly Hit[]): Found => ({
  question,
  hits: currentHits(question, hits).hits,
  coverage: retriever.coverage(question, hits),
});

/**
 * Searches for a part that depends on an earlier question, among the hits of both, which also decide whether it is
 * covered.
 */
async function findLeaning(retriever: Retriever, part: string, before: Found, topK: number): Promise<Found> {
  const both = `${before.question} ${part}`;
  const asked = await find(retriever, both, { topK: Math.max(topK, CANDIDATES) });
  const hits = withFigure(part, await find(retriever, part, { topK, among: asked }));
  const alone = retriever.coverage(part, hits);
  const asksElse = alone.missing.length > 0 && alone.value < LATER_PART_FOUND;
  if (hits.length === 0 || alone.otherYears !== null || asksElse)
    return { question: part, hits: currentHits(both, hits).hits, coverage: { ...alone, covered: false } };
  // A dependent part is likelier answered if the earlier question certainly is. While the earlier one is open, an
  // answer to the part alone says little.
  const goesOn = before.coverage.covered && before.coverage.relevance >= RELEVANT;
  const coverage = retriever.coverage(both, asked, { goesOn, by: hits[0]!.source });
  const isSure = before.coverage.covered || coverage.relevance >= LATER_PART_ALONE;
  return {
    question: part,
    hits: currentHits(both, hits).hits,
    coverage: { ...coverage, covered: coverage.covered && isSure },
  };
}

/**
 * A part that asks for a figure (`and how long does it last?`) only says what kind of figure: passages without such a
 * figure do not answer it.
 */
function withFigure(part: string, hits: readonly Hit[]): readonly Hit[] {
  const figure = figureAsked(part);
  return figure === undefined
    ? hits
    : hits.filter(({ source }) => sentencesOf(source).some(({ text }) => figure.isStated(text)));
}

/** A part that only asks what happens next. The answer has no word by which it could be recognised. */
const WHAT_THEN = /(?<!\p{L})(?:was (?:passiert|geschieht)|what happens)(?!\p{L})/iu;

/**
 * For documents: whether a dependent part is covered. One of the passages quoted for it must contain, in one sentence
 * below its headings, a word of the part with the figure or time that it asks for. If none does, another found passage
 * that does is quoted; otherwise the part stays open.
 */
function toldOrOpen(part: Found, language: Language): Found {
  const { question, hits, coverage } = part;
  if (!coverage.covered || hits[0]?.source.units === undefined || answerTypeOf(question) === 'person')
    return part;
  if (passagesFor(question, hits).some(({ source }) => tells(source, question, language))) return part;
  const other = hits.find(({ source }) => tells(source, question, language));
  return other === undefined
    ? { ...part, coverage: { ...coverage, covered: false } }
    : { ...part, hits: [other, ...hits.filter((hit) => hit !== other)] };
}

/**
 * Whether a quoted passage for a question also answers a dependent part: one sentence has most of the question's words,
 * all of the part's, and the figure or the time that the part asks for (`How many auditors are there, and for how
 * long?`: `Two auditors are elected for two years`).
 */
function isToldWith({ question, hits }: Found, part: string, language: Language): boolean {
  const figure = figureAsked(part);
  const isWhen = answerTypeOf(part) === 'date';
  if (hits[0]?.source.units === undefined || (figure === undefined && !isWhen)) return false;
  const asked = (of: string): Word[] => wordsAsked(of, language).filter(({ text }) => !isOfFigure(text));
  const [lead, own] = [asked(question), asked(part)];
  return passagesFor(question, hits).some(({ source }) =>
    sentencesOf(source).some(({ text }) => {
      if (figure?.isStated(text) === false || (isWhen && !TIME_STATED.test(text))) return false;
      const said = plainAnalysis.words(text, source.lang);
      const has = (word: Word): boolean => said.some((other) => similarity(word, other) >= FOUND);
      return own.every(has) && lead.filter(has).length * 2 > lead.length;
    }),
  );
}

/** Whether a sentence of a passage, below its headings, contains what a part of a question asks for. */
function tells(source: Source, part: string, language: Language): boolean {
  const asked = wordsAsked(part, language);
  const figure = figureAsked(part);
  const isWhen = answerTypeOf(part) === 'date';
  if (asked.length === 0 && figure === undefined && !isWhen) return !WHAT_THEN.test(part);
  const headings = plainAnalysis.words(`${source.section} ${source.title}`, source.lang);
  return sentencesOf(source).some(({ text }) => {
    if (figure?.isStated(text) === false || (isWhen && !TIME_STATED.test(text))) return false;
    const said = [...headings, ...plainAnalysis.words(text, source.lang)];
    return asked.length === 0 || asked.some((word) => said.some((other) => similarity(word, other) >= FOUND));
  });
}

/** A question with several possible meanings is covered only as far as no guess is needed. */
const coverageOfWhole = (coverage: Coverage, readings: readonly string[]): Coverage =>
  readings.length === 0 ? coverage : { ...coverage, covered: false };

/** A question that asks several things is covered if each of them is. */
function coverageOfParts(parts: readonly Coverage[]): Coverage {
  return {
    value: Math.min(...parts.map((part) => part.value)),
    covered: parts.every((part) => part.covered),
    // Later parts depend on the first.
    relevance: parts[0]!.relevance,
    otherYears: parts.find((part) => part.otherYears !== null)?.otherYears ?? null,
    missing: [...new Set(parts.filter((part) => !part.covered).flatMap((part) => part.missing))],
  };
}

function interleave(lists: readonly (readonly Hit[])[]): Hit[] {
  const seen = new Map<string, Hit>();
  const longest = Math.max(0, ...lists.map((list) => list.length));
  for (let rank = 0; rank < longest; rank++) {
    for (const list of lists) {
      const hit = list[rank];
      if (hit !== undefined && !seen.has(hit.source.id)) seen.set(hit.source.id, hit);
    }
  }
  return [...seen.values()];
}
