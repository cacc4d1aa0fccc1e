import { isStopWord, fold } from '../../analysis/analysis.ts';
import { tellingOf } from '../../analysis/telling.ts';
import type { Language } from '../../source.ts';

/** One of several things in a question that asks one thing about all of them (`Kranken- und Rentenversicherung`). */
interface AskedObject {
  /** The words of the thing, without an article. */
  readonly text: string;
  /** The question about this thing alone. */
  readonly question: string;
}

/** The things about which a question asks one thing. */
interface AskedRow {
  readonly objects: readonly AskedObject[];
  /** The words of the question that name all of these things. */
  readonly text: string;
}

/** The most things about which a question asks one by one. */
const MAX_OBJECTS = 5;

/** A noun, a name or an abbreviation; with a hyphen at its end if it shares the rest of the next word. */
const NAME = String.raw`\p{Lu}[\p{L}\p{N}]*(?:-[\p{L}\p{N}]+)*(?:\s(?:[A-Z]|[IVX]+|\d{1,2})(?![\p{L}\p{N}%.]))?`;
const LEAD_WORD = String.raw`(?:der|die|das|den|dem|des|eine?[mnrs]?|zur|zum|für|bei|beim|im|in|vom|von|mit|nach|the|an?|for|of|on|in)\s+`;
const LEAD = String.raw`(?:${LEAD_WORD})?`;
const JOINT = String.raw`,?\s+(?:und|sowie|and|&)\s+`;
/** A list of names. German writes nouns with a capital, English only proper names. */
const NAMES = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])${LEAD}(?:${NAME}-?,\s+${LEAD})*${NAME}-?${JOINT}${LEAD}${NAME}(?![\p{L}\p{N}-])`,
  'gu',
);
/** A list of things in a question without capitals, in which each thing is a single word. */
const SMALL =
  /(?<=(?<!\p{L})(?:für|bei|von|zur|zum|über|sind|ist|dürfen|bekommen|haben)\s+)(?:\p{Ll}{4,}-?,\s+)*\p{Ll}{4,}-?\s+(?:und|sowie)\s+\p{Ll}{4,}(?!\p{L})/gu;
/** The beginning of a question, up to the first thing that it asks about. */
const OPENING =
  /^(?:wie\s+(?:hoch|lange?|groß|viel)|was|wann|wie|how\s+(?:high|long|much|large)|what|when)\s+(?:ist|sind|gilt|gelten|beträgt|betragen|bedeutet|bedeuten|endet|enden|lautet|lauten|dauert|dauern|kostet|kosten|is|are)\s+(?=\S)/iu;
/**
 * A thing with its article (`die Frist`, `the limit`). A clause such as `die wir zahlen` describes the thing before it.
 */
const THING =
  /^(?:der|die|das|den|ein|eine|einen|the|an?)\s+(?!(?:der|die|das|den|dem|eine?[mnrs]?|ich|er|sie|es|man|wir|ihr|im|in|an|am|auf|bei|beim|mit|von|vom|zu|zum|zur|für)\s)\p{L}.*[^-]$/iu;
/** A time at the end of a question, which applies to each of its things. */
const TIME = /\s+(?:ab|im|in|seit|für|zum|from|since|for|as\s+of)\s+(?:[^\s,]+\s+){0,3}(?:19|20)\d\d$/iu;
/** Words after which a thing begins, or before which it has ended. */
const BEFORE = /^(?:for|of|on|about|with|the|an?|my|our|your|is|are|in|at|by|from|until)$/iu;
const BEHIND = /^(?:for|of|on|with|in|at|by|to|from|during|after|before|when|if|per|under|as|since)$/iu;
/** Words that are followed by a verb. */
const WHO = /^(?:who|what|which|you|i|we|they)$/iu;
const ARTICLE = /^(?:the|an?)$/iu;
const LEAD_ALONE = /^(?:the|an?|for|of|on|in)$/iu;
const MARKS = /[,;:.?!]+$/u;
const MAX_WORDS = 3;
/** Words before several things that are meant together. */
const TOGETHER =
  /(?<!\p{L})(?:zwischen|between|sowohl|both|unterschied\p{L}*|difference|verhältnis|zusammenhang|gleich\p{L}*|(?:der|die|das|dem|den)selbe\p{L}*|gemeinsam|zusammen|same|together|combined|damen)(?!\p{L})/iu;
/**
 * A word counts as a thing from this weight on; words of everyday speech (`Tag und Nacht`, `time and again`) have less.
 */
const NAMES_A_THING = 0.6;

/**
 * The things about which a question asks one thing, if it names several; otherwise `null`. Each of them gets a question
 * in the original words, without the others.
 *
 * @example objectsOf('Wie hoch sind die Sätze zur Krankenversicherung und Rentenversicherung?', 'de')?.objects.map(({
 * text }) => text)
 * ['Krankenversicherung', 'Rentenversicherung']
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
    // Things in a sentence before the question belong to a story.
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

/** A list of things in a question, with its position. */
interface Stretch {
  readonly start: number;
  readonly text: string;
}

const stretch = (start: number, text: string): Stretch => ({ start, text });

/** A thing of a list: its article or preposition, and its name. */
interface Piece {
  readonly lead: string;
  readonly name: string;
}

/** The things of a list. The article of the first thing also counts for later ones without an article. */
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

/** The things after the beginning of a question, each with an article. */
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

/** Two things of up to three words each around an `and` (`night work and Sunday work`). */
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
  /** The index at which the words begin that end before `at`. */
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
    // Without a boundary it is unknown how many words name a thing, so as many count as on the other side.
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

/** Whether words name a thing. In English two words may name one (`night work`) for which German has a compound. */
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

/**
 * The full word for `Kranken-` in `Kranken- und Rentenversicherung` if one of the texts has it; otherwise unchanged.
 */
export function spelledOut(name: string, beside: string, texts: readonly string[]): string {
  if (!name.endsWith('-')) return name;
  const whole = new RegExp(`(?<!\\p{L})${name.slice(0, -1)}(\\p{Ll}{3,})`, 'gu');
  const found = texts.flatMap((text) => [...text.matchAll(whole)]).find(([, rest]) => beside.endsWith(rest!));
  return found?.[0] ?? name;
}
