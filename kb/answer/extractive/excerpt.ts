import type { Language, Source } from '../../source.ts';
import type { Hit } from '../../hit.ts';
import { pointsElsewhere } from '../../pointing.ts';
import type { Sentence } from '../../sentences.ts';
import { pointsBack } from '../points-back.ts';
import { itemsBelow, sentencesOf } from '../source-sentences.ts';
import { shownOf } from './long-sentence.ts';
import { asksForWhole, rankSentences } from './rank.ts';

/** The quoted part of one source: whole sentences in the source's order. */
export interface Excerpt {
  readonly sentences: readonly Told[];
  /**
   * Whether the source goes on where the excerpt ends: within a paragraph, a list or a passage of a document, or in the
   * rest of a text that was asked for as a whole.
   */
  readonly cut: boolean;
}

export interface Told {
  readonly text: string;
  /** The quoted part of a sentence that is too long to be quoted whole, without the marks of the cut. */
  readonly quote?: string;
  /** Whether the sentence answers the question, or is the one that most likely does. */
  readonly decisive: boolean;
  /** Whether the sentence has a line of its own: an item of a list, a row of a table, or code. */
  readonly item: boolean;
  readonly code: boolean;
  /** The index of the sentence among those of the source, because two items of a list may have equal texts. */
  readonly at: number;
}

/** A text, or an answering paragraph, of up to this many words is quoted as a whole. */
const WHOLE = 130;
/** The most items of a list that are quoted. Longer lists are cut, and the answer says so. */
const MAX_ITEMS = 12;
/** The most answering rows of a table that are quoted. For the table of a document, the limit is `MAX_ITEMS`. */
const MAX_ROWS = 3;

/** The beginning of a sentence that describes the next of several steps. */
const NEXT_STEP =
  /^(?:anschließend|danach|dann|nun|daraufhin|zuerst|zunächst|zuletzt|abschließend|im (?:ersten|nächsten|letzten) schritt|after that|afterwards|finally|first|next|now|then)(?!\p{L})/iu;
/**
 * The part of a source that answers the question: all of a short text, the answering paragraph of a longer one, or the
 * answering sentence of a long paragraph with its neighbours. A list comes with its introduction, and an exception with
 * its rule. A passage of a document is quoted as a whole. `null` if none of it may be quoted.
 *
 * @param turnedDown sentences that the verifier has rejected and that must not be quoted again.
 * @param most the most words of a passage of a document; `null` for all of it.
 * @param denial the sentence that contradicts an assumption of the question, which then is the decisive one.
 */
export function excerptOf(
  question: string,
  language: Language,
  hit: Hit,
  turnedDown: ReadonlySet<string>,
  most: number | null = null,
  denial: string | null = null,
): Excerpt | null {
  const sentences = sentencesOf(hit.source);
  const ranked = rankSentences(question, language, hit).map(({ at }) => at);
  const mayDecide = (at: number): boolean => !isLeadIn(sentences, at) && isContent(sentences[at]!);
  const denying = sentences.findIndex(({ text }) => text === denial);
  const decisive =
    denying !== -1 ? denying : (ranked.find(mayDecide) ?? sentences.findIndex((_, at) => mayDecide(at)));
  if (decisive === -1) return null;
  const whole = asksForWhole(question, language, hit);
  const isOfDocument = hit.source.units !== undefined;
  const brief = isOfDocument ? most : null;
  const answering =
    whole && !isOfDocument
      ? beginningOf(sentences)
      : brief === null
        ? whatAnswers(hit.source, sentences, decisive)
        : stretchWith(sentences, decisive, ranked, brief);
  const kept = withoutSurplus(
    sentences,
    supported(sentences, answering, brief === null),
    ranked,
    isOfDocument,
  );
  const told = kept
    .flatMap((at) => {
      const { text, lead, form } = sentences[at]!;
      const code = form === 'code';
      const shown = code ? { text } : shownOf(question, language, text);
      return shown === null ? [] : { ...shown, item: lead !== null || form !== undefined, code, at };
    })
    .filter(({ text }) => !turnedDown.has(text));
  if (!told.some((sentence) => isContent(sentence) && !isLeadIn(sentences, sentence.at))) return null;
  return {
    sentences: told.map(({ text, quote, item, code, at }) => ({
      text,
      ...(quote === undefined ? {} : { quote }),
      decisive: whole ? at === kept[0] : at === decisive,
      item,
      code,
      at,
    })),
    cut:
      isCut(sentences, answering, kept) ||
      ((whole || brief !== null) && kept.length < sentences.length) ||
      told.some(({ quote }) => quote !== undefined),
  };
}

/** Whether a source has anything to quote. A source without that cannot answer, however well it matches. */
export function isTellable(source: Source): boolean {
  if (pointsElsewhere(source)) return false;
  const sentences = sentencesOf(source);
  return sentences.some((sentence, at) => isContent(sentence) && !isLeadIn(sentences, at));
}

function whatAnswers(source: Source, sentences: readonly Sentence[], decisive: number): number[] {
  const all = sentences.map((_, at) => at);
  // The passages of documents were cut so that each can be quoted as a whole.
  if (source.units !== undefined) return all;
  if (untilWords(sentences, all, WHOLE) === all.length) return all;
  const paragraph = all.filter((at) => blockOf(sentences, at) === blockOf(sentences, decisive));
  if (untilWords(sentences, paragraph, WHOLE) === paragraph.length) return paragraph;
  return around(sentences, decisive, paragraph, WHOLE);
}

/** The answering sentence with its neighbours, up to this many words. */
function around(
  sentences: readonly Sentence[],
  decisive: number,
  paragraph: readonly number[],
  most: number,
): number[] {
  const place = paragraph.indexOf(decisive);
  const nearest = paragraph
    .map((at, k) => ({ at, away: Math.abs(k - place) }))
    .toSorted((a, b) => a.away - b.away)
    .map(({ at }) => at);
  // A paragraph of one sentence is quoted, however long it is.
  return nearest.slice(0, Math.max(1, untilWords(sentences, nearest, most)));
}

/** The stretch of sentences, `decisive` among them, that most likely contains the answer in at most this many words. */
function stretchWith(
  sentences: readonly Sentence[],
  decisive: number,
  ranked: readonly number[],
  words: number,
): number[] {
  const likely = sentences.map((_, at) => {
    const place = ranked.indexOf(at);
    return place === -1 ? 0 : 1 / (1 + place) ** 2;
  });
  let best: readonly number[] = [decisive];
  let most = 0;
  for (let from = decisive; from >= 0; from--) {
    const rest = sentences.slice(from).map((_, i) => from + i);
    const stretch = rest.slice(0, untilWords(sentences, rest, words));
    if (!stretch.includes(decisive)) break;
    const sum = stretch.reduce((all, at) => all + likely[at]!, 0);
    if (sum > most) [best, most] = [stretch, sum];
  }
  return [...best];
}

/** The first whole paragraphs, up to the length of a short text. */
function beginningOf(sentences: readonly Sentence[]): number[] {
  const all = sentences.map((_, at) => at);
  return all.slice(0, Math.max(1, untilWords(sentences, all, WHOLE)));
}

/**
 * The chosen sentences and those that they depend on, in the order of the text; an introduction comes with its list.
 */
function supported(sentences: readonly Sentence[], chosen: readonly number[], wholeLists = true): number[] {
  const lists = itemsBelow(sentences);
  const all = new Set(chosen);
  for (const at of all) {
    const { text, lead, block } = sentences[at]!;
    const before = sentences[at - 1];
    if (lead !== null) all.add(lead);
    else if (before !== undefined && announces(before)) all.add(at - 1);
    else if (before !== undefined && pointsBack(text))
      all.add(before.block === block || NEXT_STEP.test(text) ? at - 1 : 0);
    if (announces(sentences[at]!) && at + 1 < sentences.length) all.add(at + 1);
    if (wholeLists) for (const item of lists.get(at) ?? []) all.add(item);
  }
  return [...all].toSorted((a, b) => a - b);
}

/** Removes items and rows beyond the limit. The likeliest ones stay. Lists of a document have no limit. */
function withoutSurplus(
  sentences: readonly Sentence[],
  chosen: readonly number[],
  ranked: readonly number[],
  isOfDocument: boolean,
): number[] {
  const rank = new Map(ranked.map((at, place) => [at, place]));
  const rankOf = (at: number): number => rank.get(at) ?? ranked.length;
  const inLists = chosen.filter((at) => sentences[at]!.lead !== null || sentences[at]!.form === 'row');
  const surplus = new Set<number>();
  for (const items of Map.groupBy(
    inLists,
    (at) => `${sentences[at]!.lead} ${sentences[at]!.form}`,
  ).values()) {
    const isTable = sentences[items[0]!]!.form === 'row';
    if (isOfDocument && !isTable) continue;
    const most = isTable && !isOfDocument ? MAX_ROWS : MAX_ITEMS;
    const likeliest = items.toSorted((one, other) => rankOf(one) - rankOf(other));
    for (const at of likeliest.slice(most)) surplus.add(at);
  }
  return chosen.filter((at) => !surplus.has(at));
}

/** Whether a part of the answering paragraphs and lists is not quoted. */
function isCut(
  sentences: readonly Sentence[],
  answering: readonly number[],
  kept: readonly number[],
): boolean {
  const [told, blocks] = [new Set(kept), new Set(answering.map((at) => blockOf(sentences, at)))];
  return sentences.some(
    (sentence, at) => !told.has(at) && isContent(sentence) && blocks.has(blockOf(sentences, at)),
  );
}

/** The paragraph of a sentence, or of the lead-in of its list. */
function blockOf(sentences: readonly Sentence[], at: number): number {
  const { lead, block } = sentences[at]!;
  return lead === null ? block : blockOf(sentences, lead);
}

/**
 * Whether a sentence introduces text below it: items of a list, or anything after a colon. A sentence with a colon at
 * the end of a passage introduces a picture, which the text does not have.
 */
const isLeadIn = (sentences: readonly Sentence[], at: number): boolean =>
  itemsBelow(sentences).has(at) || (announces(sentences[at]!) && at + 1 < sentences.length);

const announces = ({ text }: { readonly text: string }): boolean => text.endsWith(':');

const isContent = ({ text }: { readonly text: string }): boolean => /\p{L}{2}/u.test(text);

/** How many of the chosen sentences, from the first on, have together at most this many words. */
function untilWords(sentences: readonly Sentence[], chosen: readonly number[], most: number): number {
  let words = 0;
  const end = chosen.findIndex((at) => (words += sentences[at]!.text.split(' ').length) > most);
  return end === -1 ? chosen.length : end;
}
