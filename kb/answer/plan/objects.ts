import { isStopWord, fold } from '../../analysis/analysis.ts';
import { tellingOf } from '../../analysis/telling.ts';
import type { Language } from '../../source.ts';

/** One of several things about which a question asks the same (`Kranken- und Rentenversicherung`). */
interface AskedObject {
  /** Its words, without an article. */
  readonly text: string;
  /** The question about this thing alone. */
  readonly question: string;
}

/** Several things about which a question asks the same. */
interface AskedRow {
  readonly objects: readonly AskedObject[];
  /** The words of the question that name them all. */
  readonly text: string;
}

/** If a question names more things, it does not ask about each. */
const MAX_OBJECTS = 5;

/** A noun, a name, an abbreviation; with a hyphen at its end where it shares the rest of the next one. */
const NAME = String.raw`\p{Lu}[\p{L}\p{N}]*(?:-[\p{L}\p{N}]+)*(?:\s(?:[A-Z]|[IVX]+|\d{1,2})(?![\p{L}\p{N}%.]))?`;
const LEAD_WORD = String.raw`(?:der|die|das|den|dem|des|eine?[mnrs]?|zur|zum|für|bei|beim|im|in|vom|von|mit|nach|the|an?|for|of|on|in)\s+`;
const LEAD = String.raw`(?:${LEAD_WORD})?`;
const JOINT = String.raw`,?\s+(?:und|sowie|and|&)\s+`;
/** German writes nouns with a capital; English only names. */
const NAMES = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])${LEAD}(?:${NAME}-?,\s+${LEAD})*${NAME}-?${JOINT}${LEAD}${NAME}(?![\p{L}\p{N}-])`,
  'gu',
);
/** In a question without capitals a thing is a single word. */
const SMALL =
  /(?<=(?<!\p{L})(?:für|bei|von|zur|zum|über|sind|ist|dürfen|bekommen|haben)\s+)(?:\p{Ll}{4,}-?,\s+)*\p{Ll}{4,}-?\s+(?:und|sowie)\s+\p{Ll}{4,}(?!\p{L})/gu;
/** The opening of a question, up to the first thing that it asks about. */
const OPENING =
  /^(?:wie\s+(?:hoch|lange?|groß|viel)|was|wann|wie|how\s+(?:high|long|much|large)|what|when)\s+(?:ist|sind|gilt|gelten|beträgt|betragen|bedeutet|bedeuten|endet|enden|lautet|lauten|dauert|dauern|kostet|kosten|is|are)\s+(?=\S)/iu;
/** Each thing has an article (`die Frist`, `the limit`); `die wir zahlen` tells more of what stands before it. */
const THING =
  /^(?:der|die|das|den|ein|eine|einen|the|an?)\s+(?!(?:der|die|das|den|dem|eine?[mnrs]?|ich|er|sie|es|man|wir|ihr|im|in|an|am|auf|bei|beim|mit|von|vom|zu|zum|zur|für)\s)\p{L}.*[^-]$/iu;
/** The time at the end of a question, which holds for each of the things that it lists. */
const TIME = /\s+(?:ab|im|in|seit|für|zum|from|since|for|as\s+of)\s+(?:[^\s,]+\s+){0,3}(?:19|20)\d\d$/iu;
/** Words behind which a thing begins, and before which it has ended. */
const BEFORE = /^(?:for|of|on|about|with|the|an?|my|our|your|is|are|in|at|by|from|until)$/iu;
const BEHIND = /^(?:for|of|on|with|in|at|by|to|from|during|after|before|when|if|per|under|as|since)$/iu;
/** Words that a verb follows. */
const WHO = /^(?:who|what|which|you|i|we|they)$/iu;
const ARTICLE = /^(?:the|an?)$/iu;
const LEAD_ALONE = /^(?:the|an?|for|of|on|in)$/iu;
const MARKS = /[,;:.?!]+$/u;
const MAX_WORDS = 3;
/** Words after which several things are asked about together. */
const TOGETHER =
  /(?<!\p{L})(?:zwischen|between|sowohl|both|unterschied\p{L}*|difference|verhältnis|zusammenhang|gleich\p{L}*|(?:der|die|das|dem|den)selbe\p{L}*|gemeinsam|zusammen|same|together|combined|damen)(?!\p{L})/iu;
/** A word of everyday speech names no thing (`Tag und Nacht`, `time and again`). */
const NAMES_A_THING = 0.6;

/**
 * The things about which a question asks the same, if it names several; else `null`. Each one is asked about in the question's own
 * words, without the others.
 *
 * @example objectsOf('Wie hoch sind die Sätze zur Krankenversicherung und Rentenversicherung?', 'de')?.objects.map(({ text }) => text)
 * // ['Krankenversicherung', 'Rentenversicherung']
 */
export function objectsOf(question: string, language: Language): AskedRow | null {
  if (TOGETHER.test(question)) return null;
  const named = [...question.matchAll(NAMES)].map((found) => stretch(found.index, found[0]));
  const isSmall = !/\s\p{Lu}/u.test(question);
  const stretches = [
    // `der Arbeitgeber und der Arbeitnehmer` belong together, `des Kontos und die Zahl` do not.
    ...named.filter(({ text }) => hasOneLead(text)),
    ...thingsIn(question),
    ...named,
    ...(language === 'en' ? wordsIn(question) : isSmall ? smallIn(question) : []),
  ];
  for (const { start, text } of stretches) {
    // What stands in a sentence before the question tells a story.
    if (SENTENCE_BEHIND.test(question.slice(start + text.length))) continue;
    const pieces = piecesOf(text);
    const names = pieces.map(({ name }) => name);
    const isRow =
      names.length <= MAX_OBJECTS &&
      names.every((name) => isThing(name, language)) &&
      new Set(names).size === names.length;
    if (isRow) return { objects: pieces.map((piece) => alone(question, start, text, piece)), text };
  }
  return null;
}

const SENTENCE_BEHIND = /[.!?]\s+\p{L}/u;

/** A row of things in a question. */
interface Stretch {
  readonly start: number;
  readonly text: string;
}

const stretch = (start: number, text: string): Stretch => ({ start, text });

/** A thing of a row: its article or preposition, and its name. */
interface Piece {
  readonly lead: string;
  readonly name: string;
}

/** The article of the first thing is also that of others which have none. */
function piecesOf(row: string): readonly Piece[] {
  const pieces = row.split(new RegExp(`${JOINT}|,\\s+`, 'iu')).map((piece): Piece => {
    const lead = new RegExp(`^${LEAD_WORD}`, 'iu').exec(piece)?.[0] ?? '';
    return { lead, name: piece.slice(lead.length) };
  });
  return pieces.map(({ lead, name }) => ({ lead: lead === '' ? pieces[0]!.lead : lead, name }));
}

function hasOneLead(row: string): boolean {
  return new Set(piecesOf(row).map(({ lead }) => lead.toLowerCase())).size === 1;
}

/** The things behind the opening of a question, each of which has an article. */
function thingsIn(question: string): Stretch[] {
  const start = OPENING.exec(question)?.[0].length;
  if (start === undefined) return [];
  const rest = question.slice(start).replace(/\s*[?.!]*\s*$/u, '');
  const text = rest.replace(TIME, '');
  const things = text.split(new RegExp(`${JOINT}|,\\s+`, 'iu'));
  return things.length > 1 && things.every((thing) => THING.test(thing)) ? [stretch(start, text)] : [];
}

const smallIn = (question: string): Stretch[] =>
  [...question.matchAll(SMALL)].map((found) => stretch(found.index, found[0]));

/** Things of up to three words each around an `and` (`night work and Sunday work`). */
function wordsIn(question: string): Stretch[] {
  const words = [...question.matchAll(/\S+/gu)].map(({ 0: text, index }) => ({
    start: index,
    end: index + text.replace(MARKS, '').length,
    text: text.replace(MARKS, ''),
    mark: MARKS.exec(text)?.[0] ?? '',
  }));
  const isPart = (at: number): boolean => {
    const { text = '' } = words[at] ?? {};
    return /^\p{L}/u.test(text) && !BEFORE.test(text) && !isStopWord(fold(text, 'en'), 'en');
  };
  /** Where the words that end before `at` begin. */
  const beginsAt = (at: number): number => {
    let from = at - 1;
    while (at - from < MAX_WORDS && isPart(from - 1) && words[from - 1]!.mark === '') from -= 1;
    return from;
  };
  return words.flatMap(({ text }, at) => {
    const own = at + 1 + Number(LEAD_ALONE.test(words[at + 1]?.text ?? ''));
    if (text.toLowerCase() !== 'and' || !isPart(at - 1) || !isPart(own)) return [];
    let from = beginsAt(at);
    let to = own + 1;
    while (to - own < MAX_WORDS && isPart(to) && words[to - 1]!.mark === '') to += 1;
    const [left, right] = [at - from, to - own];
    // Without a bound nobody knows how many words name a thing: as many as on the other side.
    const beginsHere = from === 0 || BEFORE.test(words[from - 1]!.text) || words[from - 1]!.mark !== '';
    const endsHere = to === words.length || BEHIND.test(words[to]!.text) || words[to - 1]!.mark !== '';
    if (!beginsHere) {
      const isVerb = left > 1 && WHO.test(words[from - 1]!.text);
      from = Math.max(from + Number(isVerb), at - right);
    }
    if (!endsHere) to = Math.min(to, own + left);
    while (words[from - 1]?.mark === ',' && isPart(from - 1)) from = beginsAt(from);
    if (ARTICLE.test(words[from - 1]?.text ?? '')) from -= 1;
    return [stretch(words[from]!.start, question.slice(words[from]!.start, words[to - 1]!.end))];
  });
}

/** Two English words name a thing together (`night work`), where a German compound is one. */
function isThing(name: string, language: Language): boolean {
  const [first = '', ...more] = name
    .replace(/-$/u, '')
    .split(/\s+/u)
    .map((word) => fold(word, language));
  if (isStopWord(first, language)) return false;
  const isCompound = language === 'en' && more.length > 0;
  return isCompound || [first, ...more].some((word) => tellingOf(word, language) >= NAMES_A_THING);
}

const SINGULAR = /^(?:der|das|ein|eine)\s/iu;
const VERBS: Readonly<Record<string, string>> = {
  sind: 'ist',
  gelten: 'gilt',
  betragen: 'beträgt',
  bedeuten: 'bedeutet',
  enden: 'endet',
  lauten: 'lautet',
  dauern: 'dauert',
  kosten: 'kostet',
};

function alone(question: string, start: number, row: string, { lead, name }: Piece): AskedObject {
  const before = question.slice(0, start);
  const opening = SINGULAR.test(lead)
    ? before.replace(/\p{L}+(?=\s+$)/u, (verb) => VERBS[verb.toLowerCase()] ?? verb)
    : before;
  return { text: name, question: `${opening}${lead}${name}${question.slice(start + row.length)}` };
}

/** The full word for `Kranken-` in `Kranken- und Rentenversicherung` if a text has it; else unchanged. */
export function spelledOut(name: string, beside: string, texts: readonly string[]): string {
  if (!name.endsWith('-')) return name;
  const whole = new RegExp(`(?<!\\p{L})${name.slice(0, -1)}(\\p{Ll}{3,})`, 'gu');
  const found = texts.flatMap((text) => [...text.matchAll(whole)]).find(([, rest]) => beside.endsWith(rest!));
  return found?.[0] ?? name;
}
