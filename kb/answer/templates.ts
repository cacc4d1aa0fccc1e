import type { Coverage } from '../knowledge.ts';
import type { Language } from '../source.ts';
import { squeezed } from '../white-space.ts';

/**
 * The fixed sentences that are the service's own. Everything else in an answer is quoted or cited. A frame cites
 * nothing and has no brackets; its slots take typed values only, so that it can say nothing else.
 *
 * Frames come after the last citation, so that a cited sentence is always directly followed by its `[ID]`. Two marks
 * come before cited text: `⚠` begins a conflict line, and `Nein:` an answer that contradicts the question.
 */
export const CONFLICT_MARK = '⚠';

/** The beginning of an answer whose first sentence contradicts the assumption of the question. */
export const DENIAL = { de: 'Nein:', en: 'No:' } as const;
export type Denial = (typeof DENIAL)[Language];

/**
 * The slots of frames. `months`: `2020-11, 2021-01`; `asOf`, `stands`: `März 2022`; `years`: `2021, 2022`; `titles`:
 * quoted titles of sources in context; `parts`: parts of the question.
 */
type Slot = 'months' | 'asOf' | 'stands' | 'years' | 'titles' | 'parts';

/** A frame: the text before and after its slot, or only a text. */
interface Frame {
  readonly slot: Slot | null;
  readonly de: readonly [before: string, after: string];
  readonly en: readonly [before: string, after: string];
}

const FRAMES = {
  conflict: {
    slot: null,
    de: ['Die mit ⚠ markierten Quellen widersprechen sich.', ''],
    en: ['The sources marked with ⚠ contradict each other.', ''],
  },
  unsupported: {
    slot: null,
    de: ['Unsicher: Aussagen, die sich nicht aus den Quellen belegen ließen, sind weggelassen.', ''],
    en: ['Uncertain: statements that the sources do not support are left out.', ''],
  },
  cut: {
    slot: null,
    de: ['Die Quelle nennt noch weitere Punkte.', ''],
    en: ['The source lists further items.', ''],
  },
  superseded: {
    slot: 'months',
    de: ['Eine ältere Fassung (Stand: ', ') ist überholt und wurde nicht verwendet.'],
    en: ['An older version (as of: ', ') is superseded and was not used.'],
  },
  amended: {
    slot: 'titles',
    de: ['Was zitiert ist, wird geändert durch: ', '.'],
    en: ['What is quoted is changed by: ', '.'],
  },
  validYears: {
    slot: 'years',
    de: ['Die zitierten Angaben gelten für: ', '.'],
    en: ['The cited values are valid for: ', '.'],
  },
  asOf: {
    slot: 'asOf',
    de: ['Rechtsstand der Wissensbasis: ', '.'],
    en: ['Law as of ', '.'],
  },
  sourceStand: {
    slot: 'stands',
    de: ['Stand der Quelle: ', '.'],
    en: ['Source as of ', '.'],
  },
  sourceStands: {
    slot: 'stands',
    de: ['Stand der Quellen: ', '.'],
    en: ['Sources as of ', '.'],
  },
  uncovered: {
    slot: 'parts',
    de: ['Dazu wurde in der Wissensbasis keine Antwort gefunden: ', '.'],
    en: ['No answer to this was found in the knowledge base: ', '.'],
  },
  nearest: {
    slot: 'titles',
    de: ['Am nächsten kommen: ', '.'],
    en: ['The closest sources are: ', '.'],
  },
  clarify: {
    slot: 'titles',
    de: ['Rückfrage: Was ist gemeint: ', '?'],
    en: ['Clarifying question: Which one do you mean: ', '?'],
  },
} as const satisfies Record<string, Frame>;

export type FrameName = keyof typeof FRAMES;

/** The values that slots may have in this answer, from the sources in context. */
export interface FrameContext {
  readonly titles: readonly string[];
  readonly months: readonly string[];
  /** The month of the base's law, in words. */
  readonly asOf: readonly string[];
  /** The months of sources in context that are no law, in words. */
  readonly stands: readonly string[];
  readonly years: readonly number[];
  readonly parts: readonly string[];
  /** Whether the model may ask this question back, although its words are not from our templates. */
  readonly mayAsk: (question: string) => boolean;
  /** Whether a sentence of this source contradicts an assumption of the question. */
  readonly contradicts: (sentence: string, sourceId: string) => boolean;
}

/** The values of slots without a context. */
export const NO_FRAME_CONTEXT: FrameContext = {
  titles: [],
  months: [],
  asOf: [],
  stands: [],
  years: [],
  parts: [],
  mayAsk: () => false,
  contradicts: () => false,
};

/** The text of a frame; `values` fills its slot if it has one. */
export function frame(
  name: FrameName,
  language: Language,
  values: readonly (string | number)[] = [],
): string {
  const { slot, [language]: text } = FRAMES[name];
  return text[0] + (slot === null ? '' : list(items(slot, values, language), slot, language)) + text[1];
}

/**
 * The frame that a sentence is, in either language, with its slot filled from this context only; otherwise `undefined`.
 * A question back may have other words, as far as `mayAsk` allows.
 */
export function matchFrame(text: string, context: FrameContext): FrameName | 'mark' | undefined {
  if (text === CONFLICT_MARK) return 'mark';
  const back = questionBack(text);
  if (back !== null && context.mayAsk(back)) return 'clarify';
  return (Object.keys(FRAMES) as FrameName[]).find(
    (name) => matches(text, FRAMES[name], 'de', context) || matches(text, FRAMES[name], 'en', context),
  );
}

/** The question that a model asks the user, behind the label of such questions. */
export function askBack(question: string, language: Language): string {
  return `${LABEL[language]}${question}`;
}

const LABEL = { de: 'Rückfrage: ', en: 'Clarifying question: ' } as const;

/** The closing question without its label; `null` for any other text. */
export function questionBack(text: string): string | null {
  return /^(?:Rückfrage|Clarifying question): ([^\n]*\?)$/u.exec(text)?.[1] ?? null;
}

/** The sentence of an answer that lists the parts of the question without a source; `null` if there is none. */
export function uncoveredIn(answer: string): string | null {
  for (const [before, after] of [FRAMES.uncovered.de, FRAMES.uncovered.en]) {
    const start = answer.indexOf(before);
    // A part never contains a quotation mark.
    const end = answer.slice(start).search(/[“”]\./u);
    if (start !== -1 && end !== -1) return answer.slice(start, start + end + 1) + after;
  }
  return null;
}

/** The titles in a question back or a refusal, which can be asked about instead. */
export function suggestionsIn(answer: string): string[] {
  const openings = [FRAMES.nearest, FRAMES.clarify].flatMap(({ de, en }) => [de[0], en[0]]);
  const start = Math.max(...openings.map((opening) => answer.lastIndexOf(opening)));
  const [line] = start === -1 ? [''] : answer.slice(start).split('\n', 1);
  return [...line!.matchAll(/„([^“]*)“|“([^”]*)”/gu)].map(([, german, english]) => german ?? english!);
}

function matches(
  text: string,
  { slot, ...texts }: Frame,
  language: Language,
  context: FrameContext,
): boolean {
  const [before, after] = texts[language];
  if (slot === null) return text === before;
  if (!text.startsWith(before) || !text.endsWith(after)) return false;
  const value = text.slice(before.length, text.length - after.length);
  return isList(value, items(slot, context[slot], language), separators(slot, language));
}

const isQuoted = (slot: Slot): boolean => slot === 'titles' || slot === 'parts';

function items(slot: Slot, values: readonly (string | number)[], language: Language): string[] {
  return values.map((value) => (isQuoted(slot) ? quote(String(value), language) : String(value)));
}

function list(values: readonly string[], slot: Slot, language: Language): string {
  const [comma, last] = separators(slot, language);
  return [...(values.length > 1 ? [values.slice(0, -1).join(comma)] : []), ...values.slice(-1)].join(last);
}

function separators(slot: Slot, language: Language): readonly [comma: string, last: string] {
  if (!isQuoted(slot)) return [', ', ', '];
  if (slot === 'parts') return language === 'de' ? [', ', ' und '] : [', ', ' and '];
  return language === 'de' ? [', ', ' oder '] : [', ', ' or '];
}

function isList(value: string, allowed: readonly string[], between: readonly string[]): boolean {
  return allowed.some(
    (item) =>
      value === item ||
      between.some(
        (separator) =>
          value.startsWith(item + separator) &&
          isList(value.slice(item.length + separator.length), allowed, between),
      ),
  );
}

/** A title for a frame: on one line, without brackets that could be read as a citation, and without inner quotes. */
function quote(title: string, language: Language): string {
  const plain = squeezed(title.replaceAll(/[[\]"„“”?]/gu, ''));
  return language === 'de' ? `„${plain}“` : `“${plain}”`;
}

const monthFormat = (language: Language): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const MONTHS = { de: monthFormat('de'), en: monthFormat('en') } as const;

/** A month in words: `2022-03` is `März 2022` or `March 2022`. */
export function monthName(month: string, language: Language): string {
  return MONTHS[language].format(new Date(`${month}-01T00:00:00Z`));
}

const REFUSALS = {
  de: {
    none: 'Dazu enthält die Wissensbasis keine Quelle; ohne Quelle gibt es keine Antwort.',
    missing: (terms: string) => `Nicht gefunden: ${terms}.`,
    year: (asked: number) => `Für ${asked} enthält die Wissensbasis keine Quelle.`,
    years: (there: string) => `Sie hat Werte für: ${there}.`,
  },
  en: {
    none: 'The knowledge base has no source on this; there is no answer without a source.',
    missing: (terms: string) => `Not found: ${terms}.`,
    year: (asked: number) => `The knowledge base has no source for ${asked}.`,
    years: (there: string) => `It has values for: ${there}.`,
  },
} as const;

const MAX_MISSING = 3;
const MAX_TERM = 60;

/** Why a question is refused. */
export interface Missing {
  /** Words of the question that occur in no hit. */
  readonly missing: readonly string[];
  readonly otherYears: Coverage['otherYears'];
  readonly asOf: string | null;
  /** The titles of the nearest sources. */
  readonly nearest: readonly string[];
}

/** The text of a refusal: that there is no source, the words that no passage contains, and the nearest sources. */
export function refusal(language: Language, { missing, otherYears, asOf, nearest }: Missing): string {
  const texts = REFUSALS[language];
  if (otherYears !== null) {
    return [
      texts.year(otherYears.asked),
      ...(otherYears.there.length === 0 ? [] : [texts.years(otherYears.there.join(', '))]),
      ...(asOf === null ? [] : [frame('asOf', language, [monthName(asOf, language)])]),
    ].join(' ');
  }
  const terms = missing
    .slice(0, MAX_MISSING)
    .map((term) => quote(term.slice(0, MAX_TERM), language))
    .filter((term) => term.length > 2);
  return [
    texts.none,
    ...(terms.length === 0 ? [] : [texts.missing(terms.join(', '))]),
    ...(nearest.length === 0 ? [] : [frame('nearest', language, nearest)]),
  ].join(' ');
}
