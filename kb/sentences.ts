import type { Source, UnitSpan } from './source.ts';
import { sentencePieces } from './text-limits.ts';
import { wordSet } from './word-list.ts';

/**
 * A unit of a text. Texts are split into sentences for German and English prose and for statutes. Every unit is an
 * exact range of the text, so that a quote can be found again. The rules follow the two-class scheme of Kiss and Strunk
 * (2006), with lists instead of learned counts: a full stop after a word that is no abbreviation ends a sentence; after
 * an abbreviation that may end one (`usw.`, `U.S.`, an ordinal), the next word decides.
 */
export interface Sentence {
  readonly text: string;
  /** The offset of `text` in the text that was split. */
  readonly start: number;
  /** The index of the unit that introduces this list item (`Der Arbeitgeber hat …:`); `null` outside a list. */
  readonly lead: number | null;
  /** The index of the paragraph or list item of the unit. */
  readonly block: number;
  /** The form of a unit with lines of its own: a list item, a table row or code. Absent in running text. */
  readonly form?: 'item' | 'row' | 'code';
}

/** Abbreviations that never end a sentence, because they need a following word. */
const OPEN = wordSet(`
  aufl az bgbl rgbl gvbl gvobl gbl amtsbl stanz abl betr bspw bzgl bzw ca dr evtl ggf hg hl hr hrsg i.d.f i.s.d i.v.m inkl insb mind mr mrs ms prof rev sen gen
  gov lt col capt sgt rep sog spez st tel tsd ua vgl vs z.b zb zit zzgl cf e.g i.e approx mt ft jan feb mär mrz apr jun
  jul aug sep sept okt oct nov dez dec geb gest dipl ing hon op cit d.h d.i dh u.a o.g z.t ivm isd idf idgf ihv exkl zzt dzt
  entspr ehem urspr mtl jährl
`);
/** Words that are abbreviations only before a number; otherwise they are words of their own (`art`, `no`). */
const NUMBERED = wordSet('abs art bd buchst fig fn kap lit max min no nr nrn par pp rdnr rn vol ziff');
/** Abbreviations that may end a sentence: the next word decides. */
const CLOSING = wordSet(`
  usw etc usf ff jh jhd jr sr inc ltd co corp mio mrd chr al a.m p.m u.s u.k u.s.a d.c ph.d b.a m.a std sek str
  bros dgl ä a.a.o gem jew allg mwst ust
`);
/** Capitalised words that begin a sentence; other capitalised words may be a name or a German noun. */
const STARTERS = wordSet(`
  der die das den dem des ein eine einer eines einem einen er sie es wir ihr man dies diese dieser dieses diesem
  diesen jedoch auch aber und oder doch denn wenn als nach vor in im am an auf bei beim mit für von vom zu zur zum zwar
  während seit bis durch um unter über aus ohne gegen trotz wegen laut so da dort hier heute später danach dabei dafür
  dadurch daher damit darüber außerdem allerdings dennoch nur nicht kein keine sein seine seiner ihre ihrer sowohl
  weder viele alle jeder jede mehrere einige beide andere wird wurde wurden werden ist sind war waren hat hatte kann
  the an he she it they we you this that these those his her its their our in on at by for from with of to as
  after before during since until when while where if although though because however but and or so then there here
  some many most several both each every all no not only one two three other another such what who which how why
  according despite under over into among between through
`);

const END = /[.!?…]+["'“”»«’‘)\]]*(?=\s)/gu;
/** Kinds of list items; a new kind inside a list begins a nested list. */
const ITEMS: readonly RegExp[] = [
  /^[-*•–][ \t]/u,
  /^\d{1,3}[a-z]?[.)][ \t]/u,
  /^[a-z]\)[ \t]/u,
  /^([a-z])\1\)[ \t]/u,
  /^Z \d+[a-z]?:[ \t]/u,
  /^lit\. [a-z]{1,2}:[ \t]/u,
  /^sublit\. [a-z]{1,2}:[ \t]/u,
];
/** The beginning of any kind of item. It is tested first, because few lines have it. */
const MAY_BE_ITEM = /^(?:[-*•–]|\d{1,3}[a-z]?[.)]|[a-z]{1,2}\)|Z |(?:sub)?lit)/u;
const BULLET = /^[-*•–][ \t]+/u;
const HEADING = /^#{1,6}\s/u;
/** A row of a table, and the line below its row of headings. */
const ROW = /^\|/u;
const RULE = /^\|[\s:|-]*-[\s:|-]*$/u;

/**
 * Splits a text into sentences, list items and table rows. Headings (`#`) are left out. A list item has the index of
 * its introduction, and a row that of the row of headings above it.
 *
 * @example
 * splitSentences('Das gilt ab 1. Mai. Danach nicht.').map((s) => s.text);
 * ['Das gilt ab 1. Mai.', 'Danach nicht.']
 */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  // The open lists, outermost first: the kind of their items, and their introduction.
  let lists: { kind: number; lead: number }[] = [];
  let block = -1;
  /** The row of headings of the current table. */
  let headings: number | null = null;
  const found = [...blocks(text)].map(([start, end]) => ({ start, end, body: text.slice(start, end) }));
  for (const [at, { start, end, body }] of found.entries()) {
    if (ROW.test(body)) {
      lists = [];
      if (RULE.test(body)) continue;
      block += 1;
      if (RULE.test(found[at + 1]?.body ?? '')) headings = null;
      sentences.push({ text: text.slice(start, end), start, lead: headings, block });
      headings ??= sentences.length - 1;
      continue;
    }
    headings = null;
    const kind = kindOfItem(body);
    // After a list, a sentence that begins with a lower-case letter continues its introduction.
    const tail = kind === -1 && /^\p{Ll}/u.test(body) ? (lists[0]?.lead ?? null) : null;
    if (kind === -1) lists = [];
    if (HEADING.test(body)) continue;
    block += 1;
    if (kind !== -1) {
      const known = lists.findIndex((list) => list.kind === kind);
      if (known !== -1) lists.length = known + 1;
      else if (sentences.length > 0) lists.push({ kind, lead: sentences.length - 1 });
    }
    const lead = lists.at(-1)?.lead ?? tail;
    const skip = BULLET.exec(body)?.[0].length ?? 0;
    for (const [from, to] of breaks(body, skip)) {
      sentences.push({ text: body.slice(from, to), start: start + from, lead, block });
    }
  }
  return sentences;
}

/** The sentences of a source: a passage of a document is split by its units, a file with front matter by its text. */
export const sentencesIn = ({ text, units }: Pick<Source, 'text' | 'units'>): Sentence[] =>
  units === undefined ? splitSentences(text) : sentencesOfUnits(text, units);

/** The sentences that overlap a range of the source. */
export const sentencesBetween = (source: Source, start: number, end: number): Sentence[] =>
  source.units === undefined
    ? splitSentences(source.text.slice(start, end))
    : sentencesIn(source).filter((each) => each.start < end && each.start + each.text.length > start);

/**
 * The sentences of units. Rows and code are not split; list items have the last sentence of the unit that introduces
 * them.
 */
function sentencesOfUnits(text: string, units: readonly UnitSpan[]): Sentence[] {
  const sentences: Sentence[] = [];
  /** The last sentence of each unit. */
  const last: number[] = [];
  for (const [block, { kind, start, end, lead: leading }] of units.entries()) {
    const body = text.slice(start, end);
    const form = kind === 'item' || kind === 'row' || kind === 'code' ? kind : undefined;
    const isWhole = form === 'row' || form === 'code';
    const lead = leading === null ? null : (last[leading] ?? null);
    for (const [from, to] of isWhole ? sentencePieces(body, 0, body.length) : breaks(body, 0))
      sentences.push({
        text: body.slice(from, to),
        start: start + from,
        lead,
        block,
        ...(form === undefined ? {} : { form }),
      });
    last.push(sentences.length - 1);
  }
  return sentences;
}

/** The kind of item that a line begins, as an index into `ITEMS`; -1 if it begins none. */
function kindOfItem(line: string): number {
  return MAY_BE_ITEM.test(line) ? ITEMS.findIndex((pattern) => pattern.test(line)) : -1;
}

/** Paragraphs and list items as trimmed ranges: a blank line or the marker of an item begins a new one. */
function* blocks(text: string): Generator<[start: number, end: number]> {
  let from = 0;
  let open = false;
  let position = 0;
  let last = 0;
  for (const line of text.split('\n')) {
    const blank = line.trim() === '';
    const isRow = ROW.test(line.trimStart());
    const opens = isRow || kindOfItem(line.trimStart()) !== -1 || HEADING.test(line);
    if (open && (blank || opens)) {
      yield [from, last];
      open = false;
    }
    if (!blank) {
      if (!open) from = position + (line.length - line.trimStart().length);
      open = true;
      last = position + line.trimEnd().length;
      if (isRow || HEADING.test(line)) {
        yield [from, last];
        open = false;
      }
    }
    position += line.length + 1;
  }
  if (open) yield [from, last];
}

/** The borders of the sentences of one block, from `skip` on. */
function* breaks(body: string, skip: number): Generator<[start: number, end: number]> {
  let from = skip;
  for (const match of body.matchAll(END)) {
    const end = match.index + match[0].length;
    if (match.index < from || !endsSentence(body, match.index, end)) continue;
    yield* sentencePieces(body, from, end);
    from = end + (body.slice(end).length - body.slice(end).trimStart().length);
  }
  yield* sentencePieces(body, from, body.length);
}

/** The word that ends at a position. It is matched backwards, so that the cost depends only on the word's length. */
const BEFORE = /(?<=([\p{L}\p{N}.§-]{0,40}))/uy;
/** Text with which no sentence begins: a sign that joins its two sides (`Auftr. / Kunden`). */
const JOINS = /^\s+(?:[,;:/&=→⇒]|\+(?=\s))/u;
/** A day of the week before a time or another day (`Mo. – Fr. 8 Uhr`). */
const WEEKDAY = /^(?:Mo|Di|Mi|Do|Fr|Sa|So|Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun)$/u;
const OF_THE_WEEK = /^\s+(?:[-–—]\s|\d)/u;
/**
 * The ending of a word that is cut short: a hard consonant before `l` or `r` (`Auftr.`), or no vowel at all (`Kdnr.`).
 */
const CUT_SHORT = /[bcdfgkpqtvwxz][lr]$|^[B-DF-HJ-NP-TV-XZb-df-hj-np-tv-xz][b-df-hj-np-tv-xzß]+$/u;
/** Whole words and units with the endings of words that are cut short. */
const NOT_CUT = wordSet('lkw pkw kfz sms km kg cm mm dm mg ml hl kw mb gb tb kb px rhythm');

function endsSentence(body: string, stop: number, end: number): boolean {
  const rest = body.slice(end, end + 60);
  const next = /^\s+(["'“„»«‚‘([]*)([\p{L}\p{N}§-]*)/u.exec(rest);
  const word = next?.[2] ?? '';
  if (/^\p{Ll}/u.test(word)) return false;
  if (body[stop] !== '.' || body[stop + 1] === '.') return true;
  BEFORE.lastIndex = stop;
  const before = BEFORE.exec(body)?.[1] ?? '';
  if (JOINS.test(rest) || (WEEKDAY.test(before) && OF_THE_WEEK.test(rest))) return false;
  const token = before.toLowerCase();
  if (OPEN.has(token)) return false;
  if (NUMBERED.has(token)) return !/^(?:\d|[IVXLC]+$|[a-z]\)?$)/u.test(word);
  const unsure =
    CLOSING.has(token) ||
    (CUT_SHORT.test(before) && !NOT_CUT.has(token)) ||
    /^(?:\p{L}|\d{1,3}|[IVXLC]+|(?:\p{L}\.)+\p{L})$/u.test(before) ||
    stop === 0;
  // A list marker or the number of a section alone (`2.`, `§ 4.`) is no sentence.
  if (/^\s*(?:(?:§+\s?|Art(?:ikel|icle)?\s)?\d{1,3}[a-z]?|[a-z])$/u.test(body.slice(0, stop))) return false;
  return !unsure || STARTERS.has(word.toLowerCase());
}
