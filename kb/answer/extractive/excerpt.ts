import type { Language, Source } from '../../source.ts';
import type { Hit } from '../../hit.ts';
import type { Sentence } from '../../sentences.ts';
import { sentencesOf } from '../source-sentences.ts';
import { shownOf } from './long-sentence.ts';
import { asksForWhole, rankSentences } from './rank.ts';

/** What is told of one source: whole sentences in the source's own order. */
export interface Excerpt {
  readonly sentences: readonly Told[];
  /** True if a list goes on in the source, or if its text does although all of it was asked for. */
  readonly cut: boolean;
}

export interface Told {
  readonly text: string;
  /** The part of the sentence that is told, without the marks of the cut, if the sentence is too long to be told whole. */
  readonly quote?: string;
  /** The one that answers, or the likeliest to. */
  readonly decisive: boolean;
  /** Stands in a line of its own: an item of a list, a row, code. */
  readonly item: boolean;
  readonly code: boolean;
}

/** Words up to which a text, or the paragraph that answers, is told whole. */
const WHOLE = 130;
/** Longer lists are cut, and the answer says so. */
const MAX_ITEMS = 12;
/** A table is told by the rows that answer. */
const MAX_ROWS = 3;

/** Points at what stands before it: says nothing alone. */
const POINTS_BACK =
  /^(?:(?:er|sie|es|dies\p{L}*|das|sein\p{L}*|ihr\p{L}*|dabei|dadurch|damit|dort|hier\p{L}*|dazu|daher|danach|davon|deren|dessen|dann|letzter\p{L}*|sonst|außerdem|daneben|ebenso|auch|jedoch|allerdings|he|she|it|they|this|these|those|his|her|its|their|such|there|both|otherwise|however)(?!\p{L})|(?:das|ein)?(?:selbe|gleiche)s? gilt|entsprechendes gilt|satz \d|in diesen? f[aä]ll)/iu;
/** An exception says little without its rule. */
const EXCEPTION = /^(?:abweichend|ausgenommen|(?:dies|das) gilt nicht|(?:satz|absatz) \d+[^.]* gilt nicht)/iu;

/**
 * The part of a source that answers the question: all of a short text, the answering paragraph of a longer one, the
 * answering sentence of a long paragraph with those around it; each with what it leans on, a list with its lead-in, a rule
 * before its exception. `null` if none of it may be quoted.
 *
 * @param turnedDown sentences that may not be told again
 */
export function excerptOf(
  question: string,
  language: Language,
  hit: Hit,
  turnedDown: ReadonlySet<string>,
): Excerpt | null {
  const sentences = sentencesOf(hit.source);
  const ranked = rankSentences(question, language, hit).map(({ at }) => at);
  const mayDecide = (at: number): boolean => !isLeadIn(sentences, at) && isContent(sentences[at]!);
  const decisive = ranked.find(mayDecide) ?? sentences.findIndex((_, at) => mayDecide(at));
  if (decisive === -1) return null;
  const whole = asksForWhole(question, language, hit);
  const chosen = supported(
    sentences,
    whole ? beginningOf(sentences) : whatAnswers(hit.source, sentences, decisive),
  );
  const kept = chosen.filter((at) => !isSurplus(sentences, at, chosen, ranked));
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
    })),
    cut:
      kept.length < chosen.length ||
      (whole && kept.length < sentences.length) ||
      told.some(({ quote }) => quote !== undefined),
  };
}

/** Whether a source has anything to quote. A source without it answers nothing, however well it matches. */
export function isTellable(source: Source): boolean {
  const sentences = sentencesOf(source);
  return sentences.some((sentence, at) => isContent(sentence) && !isLeadIn(sentences, at));
}

function whatAnswers(source: Source, sentences: readonly Sentence[], decisive: number): number[] {
  const all = sentences.map((_, at) => at);
  // The passages of documents were cut so that each can be told whole.
  if (source.units !== undefined || wordsIn(sentences, all) <= WHOLE) return all;
  const paragraph = all.filter((at) => blockOf(sentences, at) === blockOf(sentences, decisive));
  if (wordsIn(sentences, paragraph) <= WHOLE) return paragraph;
  return around(sentences, decisive, paragraph);
}

/** The sentence that answers with those around it, as many as a short text has. */
function around(sentences: readonly Sentence[], decisive: number, paragraph: readonly number[]): number[] {
  const place = paragraph.indexOf(decisive);
  const nearest = paragraph
    .map((at, k) => ({ at, away: Math.abs(k - place) }))
    .toSorted((a, b) => a.away - b.away)
    .map(({ at }) => at);
  const end = nearest.findIndex((_, k) => k > 0 && wordsIn(sentences, nearest.slice(0, k + 1)) > WHOLE);
  // A paragraph of one sentence is told, however long that is.
  return end === -1 ? nearest : nearest.slice(0, end);
}

/** Whole paragraphs from the first on, as far as a short text goes. */
function beginningOf(sentences: readonly Sentence[]): number[] {
  const all = sentences.map((_, at) => at);
  const end = all.find((at) => at > 0 && wordsIn(sentences, all.slice(0, at + 1)) > WHOLE) ?? all.length;
  return all.slice(0, end);
}

/** The chosen sentences and those that they lean on, in the order of the text. */
function supported(sentences: readonly Sentence[], chosen: readonly number[]): number[] {
  const all = new Set(chosen);
  for (const at of all) {
    const { text, lead, block } = sentences[at]!;
    if (lead !== null) all.add(lead);
    else if (pointsBack(text)) {
      const before = sentences[at - 1];
      if (before !== undefined) all.add(before.block === block ? at - 1 : 0);
    }
    sentences.forEach((item, i) => {
      if (item.lead === at && isLeadIn(sentences, at)) all.add(i);
    });
  }
  return [...all].toSorted((a, b) => a - b);
}

/** Whether a list has more items than are told. The likeliest ones stay. */
function isSurplus(
  sentences: readonly Sentence[],
  at: number,
  chosen: readonly number[],
  ranked: readonly number[],
): boolean {
  const { lead, form } = sentences[at]!;
  if (lead === null && form !== 'row') return false;
  const most = form === 'row' ? MAX_ROWS : MAX_ITEMS;
  const items = chosen.filter((other) => sentences[other]!.lead === lead && sentences[other]!.form === form);
  if (items.length <= most) return false;
  const rest = items.filter((item) => !ranked.includes(item));
  return [...ranked.filter((item) => items.includes(item)), ...rest].indexOf(at) >= most;
}

/** The number of an Absatz before it says nothing. */
function pointsBack(text: string): boolean {
  const opening = text.replace(/^\(\d+[a-z]?\)\s*/u, '');
  return POINTS_BACK.test(opening) || EXCEPTION.test(opening);
}

/** The paragraph that a sentence, or the lead-in of its list, belongs to. */
function blockOf(sentences: readonly Sentence[], at: number): number {
  const { lead, block } = sentences[at]!;
  return lead === null ? block : blockOf(sentences, lead);
}

const isLeadIn = (sentences: readonly Sentence[], at: number): boolean =>
  sentences.some(({ lead }) => lead === at);

const isContent = ({ text }: { readonly text: string }): boolean => /\p{L}{2}/u.test(text);

const wordsIn = (sentences: readonly Sentence[], chosen: readonly number[]): number =>
  chosen.reduce((sum, at) => sum + sentences[at]!.text.split(' ').length, 0);
