import { provisionsIn, isJoint as joinsProvisions, shortNameAt, type Provision } from '../../provisions.ts';

const QUESTION_WORD =
  /^(?:wer|wen|wem|wessen|was|wann|wo|wohin|woher|wie|wieso|warum|weshalb|wofür|womit|wodurch|wieviele?|wieoft|wielange|welche[rsmn]?|who|whom|whose|what|when|where|why|how|which)$/iu;
const PREPOSITION =
  /^(?:ab|an|auf|aus|bei|bis|durch|für|fuer|gegen|in|mit|nach|seit|um|unter|von|vor|wegen|zu|about|after|for|from|in|of|on|to|under|until|by|at|with|within)$/iu;
/** A verb with its subject, with which a yes-or-no question begins. */
const VERB =
  /^(?:am|is|are|was|do|does|did|can|could|may|must|should|will|would|have|has|bin|ist|sind|war|wird|werden?|habe?|habt|hat|haben|muss|muß|müssen|muessen|darf|dürfen|duerfen|kann|können|koennen|soll|sollen|gilt|gelten|zählt|zählen|zaehlt|zaehlen|zahle?|zahlt|zahlen|gibt|geht|bekomme?|bekommt|bekommen|kriege?|kriegt|kriegen|brauche?|braucht|brauchen|trägt|läuft|verfällt|steht|bleibt|reicht)$/iu;
const VERB_ALONE = /^(?:fallen|fällt|faellt|entstehen|entsteht)$/iu;
const SUBJECT =
  /^(?:i|we|he|she|it|they|you|the|my|our|there|an?|ich|mich|mir|man|er|sie|es|wir|uns|ihr|ihm|ihn|ihnen|der|die|das|den|dem|(?:ein|mein|unser|sein|dies)\p{L}*|auch|da|dann)$/iu;
/** The fewest words of a first part. */
const MIN_WORDS = 3;
/** The most parts of a question. A question with more is searched for as a whole. */
export const MAX_PARTS = 6;

/**
 * The search strings for a question, in order: the question, and its parts if it asks several things. Parts end at
 * question marks, before an `und`/`and` that another question follows, and between provisions. The whole question comes
 * first, because parts depend on each other.
 *
 * @example plan('Wie lange wird Lohn fortgezahlt und wer zahlt danach das Krankengeld?').length
 * 3
 */
export function plan(question: string): readonly string[] {
  const questions = splitQuestions(question);
  const parts = questions.flatMap((part) => splitProvisions(part) ?? [part]);
  return parts.length < 2 || parts.length > MAX_PARTS ? [question] : [question, ...parts];
}

function splitQuestions(question: string): readonly string[] {
  const parts: string[] = [];
  for (const piece of question.split(/(?<=\?)\s+/u).filter((text) => /\p{L}/u.test(text))) {
    const last = parts.length - 1;
    // A part that asks nothing (`(Beginn 2022)`) belongs to the question before it.
    if (last >= 0 && !piece.trimEnd().endsWith('?') && !asks(piece)) parts[last] += ` ${piece.trim()}`;
    else parts.push(...splitCoordinated(piece.trim()));
  }
  return parts.length < 2 || wordsOf(parts[0]!).length < MIN_WORDS ? [question] : parts;
}

/**
 * @param room the number of parts after which the search for further ones ends, because more than `MAX_PARTS` are not
 * used.
 */
function splitCoordinated(sentence: string, room = MAX_PARTS + 1): string[] {
  const words = sentence.split(/\s+/u);
  let asking: number | undefined;
  const isAsking = (length: number): boolean => length >= (asking ??= wordsUntilAsking(words));
  const at =
    room < 2
      ? -1
      : words.findIndex(
          (word, i) => i >= MIN_WORDS && /^(?:und|and)$/iu.test(word) && isJoint(words, i, isAsking),
        );
  if (at === -1) return [sentence];
  return [
    ...splitRow(words.slice(0, at).join(' ').replace(/,$/u, '')),
    ...splitCoordinated(words.slice(at + 1).join(' '), room - 1),
  ];
}

/**
 * The number of words after which a text asks something; further words do not change that. `Infinity` if it does not
 * ask.
 */
function wordsUntilAsking(words: readonly string[]): number {
  const isAsking = (length: number): boolean => asks(words.slice(0, length).join(' '));
  let [not, asking] = [0, words.length];
  if (!isAsking(asking)) return Infinity;
  while (asking - not > 1) {
    const middle = (not + asking) >> 1;
    if (isAsking(middle)) asking = middle;
    else not = middle;
  }
  return asking;
}

/**
 * Whether the `und` at an index joins two questions. A question that begins with its verb is only continued by another
 * question, because anything else may be a story.
 *
 * @param isAsking whether the first `length` words ask something.
 */
function isJoint(words: readonly string[], at: number, isAsking: (length: number) => boolean): boolean {
  const begins = beginning(words.slice(at + 1, at + 3).join(' '));
  // In `bis wann und wie muss ich …` two question words belong to one question.
  const isShared = QUESTION_WORD.test(words[at - 1]!) && words.length - at > 3;
  return (begins === 'word' && !isShared) || (begins === 'verb' && isAsking(at));
}

/** How a text begins a question: with a question word or with its verb; `null` if it does not. */
export function beginning(text: string): 'word' | 'verb' | null {
  const [first = '', second = ''] = wordsOf(text).map((word) => word.replace(/[,?!.]+$/u, ''));
  if (QUESTION_WORD.test(first) || (PREPOSITION.test(first) && QUESTION_WORD.test(second))) return 'word';
  return VERB_ALONE.test(first) || (VERB.test(first) && (SUBJECT.test(second) || /^\p{Lu}/u.test(second)))
    ? 'verb'
    : null;
}

/** The beginning of a story whose `ich` is left out. */
const OWN = /^(?:hab|habe|bin|war|kriege?|bekomme|zahle?|brauche?)$/iu;

/** Whether a text has something that asks: a question word, or a clause that begins with its verb. */
export function asks(text: string): boolean {
  const words = wordsOf(text).map((word) => word.replace(/\p{P}+$/u, ''));
  return (
    words.some((word) => QUESTION_WORD.test(word)) ||
    (VERB.test(words[0]!) && !OWN.test(words[0]!)) ||
    clausesOf(text).some((clause) => beginning(clause) !== null)
  );
}

/** A verb at the end of a clause, which shows an indirect question: `…, wie hoch der Beitrag ist`. */
const VERB_LAST = /(?:ist|sind|war|wird|werden|hat|haben|kann|muss|darf|soll|gilt|beträgt|is|are)$/iu;

/** Divides a list of questions before the `und`: `Wie hoch ist A, wie viele B gibt es und …` */
function splitRow(text: string): string[] {
  const lead = leadOf(text);
  const [first = '', ...others] = text.slice(lead.length).split(/,\s+/u);
  const isRow =
    beginning(first) === 'word' && others.every((part) => beginning(part) !== null && !VERB_LAST.test(part));
  return isRow ? [`${lead}${first}`, ...others] : [text];
}

/**
 * The words before the question itself that give the subject of all parts (`Zeitvertrag: wie oft …`); `''` if there are
 * none.
 */
function leadOf(text: string): string {
  const lead = /^.*(?::|\s[-–—]|[.!])\s+/su.exec(text)?.[0] ?? '';
  return asks(lead) ? '' : lead;
}

const clausesOf = (text: string): string[] => text.split(/(?:[,.:!?]|\s[-–—])\s+/u);

const wordsOf = (text: string): string[] => text.split(/\s+/u);

/** A provision with the name of its statute. */
interface Named extends Provision {
  readonly law: string;
  /** The index at which the name ends, if there is one. */
  readonly until: number;
}

/**
 * One question for each provision that a question lists, otherwise in its own words; `null` if it names at most one.
 *
 * @example splitProvisions('Was regeln § 3 und § 4 EntgFG?')
 * ['Was regeln § 3 EntgFG?', 'Was regeln § 4 EntgFG?']
 */
function splitProvisions(question: string): readonly string[] | null {
  for (const row of rowsOf(question)) {
    const provisions = new Set(row.flatMap(provisionsOf));
    if (provisions.size < 2) continue;
    const before = question.slice(0, row[0]!.start);
    const after = question.slice(row.at(-1)!.until);
    return [...provisions].map((provision) => `${before}${provision}${after}`);
  }
  return null;
}

/** Provisions with only conjunctions between them; those without the name of a statute are left out. */
function rowsOf(question: string): Named[][] {
  const rows: Named[][] = [];
  for (const provision of namedIn(question)) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (last !== undefined && joinsProvisions(question.slice(last.until, provision.start)))
      row!.push(provision);
    else rows.push([provision]);
  }
  return rows;
}

/**
 * The provisions of a question with their statutes. In `§ 3 und § 4 Abs. 2 EntgFG` the name after the last one belongs
 * to all.
 */
function namedIn(question: string): Named[] {
  const named: Named[] = [];
  let law: string | undefined;
  for (const provision of provisionsIn(question).toReversed()) {
    const found = shortNameAt(provision.after);
    law = found?.name ?? (provision.isJoined ? law : undefined);
    if (law !== undefined) named.unshift({ ...provision, law, until: provision.end + (found?.end ?? 0) });
  }
  return named;
}

/** One text for each provision. The details belong to the last one. */
function provisionsOf({ ranges, details, law }: Named): string[] {
  return ranges.map(([from, to], i) => {
    const numbers = from === to ? `§ ${from}` : `§§ ${from} bis ${to}`;
    return [numbers, i === ranges.length - 1 ? details : '', law].filter((part) => part !== '').join(' ');
  });
}
