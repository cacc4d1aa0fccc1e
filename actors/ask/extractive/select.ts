import type { Candidate } from './candidates.ts';
import type { Ranked } from './rank.ts';

/** Sentences are taken until the answer is this likely among them. */
const SURE = 0.7;
/** Items quoted with a lead-in that was picked for itself. */
const MAX_ITEMS = 3;

const ANAPHOR =
  /^(?:er|sie|es|dies\p{L}*|sein\p{L}*|ihr\p{L}*|dabei|dadurch|damit|dort|hier|dazu|daher|danach|davon|deren|dessen|letzter\p{L}*|he|she|it|they|this|these|those|his|her|its|their|such|there|both)(?!\p{L})/iu;

/**
 * What is quoted: the likeliest sentences, each with what it leans on: a list item with its lead-in, a lead-in with
 * its items, a sentence that opens with a pronoun with the one before it. Sources in order of their likeliest
 * sentence, sentences in order of the text. What the picks lean on comes on top of `maxPicks`.
 */
export function selectSentences(ranked: readonly Ranked[], maxPicks: number): Candidate[] {
  const picked = picksOf(ranked, maxPicks);
  const withItems = [...picked, ...picked.flatMap((candidate) => itemsOf(candidate, picked, ranked))];
  return inOrder(new Set([...withItems, ...withItems.flatMap(supportOf)]), ranked);
}

function picksOf(ranked: readonly Ranked[], maxPicks: number): Candidate[] {
  const picked: Candidate[] = [];
  let sure = 0;
  for (const { candidate, probability } of ranked) {
    if (sure >= SURE || picked.length === maxPicks) break;
    sure += probability;
    // A source may say the same in several places.
    if (!picked.some(({ sentence }) => sentence.text === candidate.sentence.text)) picked.push(candidate);
  }
  return picked;
}

/** A lead-in says nothing without its items: the likeliest ones, unless one was picked already. */
function itemsOf(candidate: Candidate, picked: readonly Candidate[], ranked: readonly Ranked[]): Candidate[] {
  const items = ranked
    .map((entry) => entry.candidate)
    .filter((item) => item.listed && item.context === candidate);
  return items.some((item) => picked.includes(item)) ? [] : items.slice(0, MAX_ITEMS);
}

/** What a sentence cannot do without: the lead-ins above it, or what its pronoun stands for. */
function supportOf({ context, listed, sentence }: Candidate): Candidate[] {
  if (context === null) return [];
  if (listed) return [context, ...(context.listed ? supportOf(context) : [])];
  return ANAPHOR.test(sentence.text) ? [context] : [];
}

function inOrder(chosen: ReadonlySet<Candidate>, ranked: readonly Ranked[]): Candidate[] {
  const sources = [
    ...new Set(ranked.filter(({ candidate }) => chosen.has(candidate)).map((r) => r.candidate.source)),
  ];
  return [...chosen].sort(
    (a, b) => sources.indexOf(a.source) - sources.indexOf(b.source) || a.sentence.start - b.sentence.start,
  );
}
