import type { Source } from '../../kb/knowledge.ts';
import { splitSentences, type Sentence } from '../../kb/sentences.ts';
import { boundOf, type Bound } from './bound.ts';
import { conditionsOf, VERB_FIRST, type Condition } from './condition.ts';
import { figuresIn, type Figure } from './figures.ts';
import { isPerOther, periodsIn, type Period } from './period.ts';
import { dayBefore, meet, overlaps, spanIn, spanOfSource, type Span } from './span.ts';

/** One figure that a passage states, and all that says what it means. */
export interface Statement {
  readonly source: Source;
  readonly figure: Figure;
  readonly bound: Bound;
  readonly per: Period | null;
  /** For one of something that is no time: `je Kilometer`. */
  readonly perOther: boolean;
  readonly conditions: readonly Condition[];
  /** True for a limit by which something is what it is (`ein Minijob liegt vor, wenn …`), not one that must be kept. */
  readonly defines: boolean;
  /** True where keeping it is not enough: another limit is in words (`mehr als geringfügig`), or it is one of several things together. */
  readonly partial: boolean;
  /** When it holds. */
  readonly span: Span;
  /** The clause of the figure, up to the first comma behind it. */
  readonly own: string;
  /** What the sentence says before that, in the same clause. */
  readonly before: string;
  /** What other clauses say before: when it holds (`Zahlt der Arbeitgeber …, …`), what it follows from (`…, so dass`). */
  readonly opening: string;
  /** What it says behind it. */
  readonly after: string;
  /** What leads into the list that the sentence is an item of, and what follows the list. */
  readonly lead: string;
  /** True where it takes up what was said before it: `Die Kündigungsfrist beträgt …`, within a paragraph. */
  readonly resumes: boolean;
  /** True in the sentence that a source begins with: its basic case. */
  readonly first: boolean;
  /** The other items of the list. */
  readonly siblings: readonly string[];
  /** The sentence with its lead-in, word for word. */
  readonly quote: string;
}

const known = new WeakMap<Source, readonly Statement[]>();

/** Every figure that a source states, sentence by sentence. Read once: sources are immutable. */
export function statementsOf(source: Source): readonly Statement[] {
  let statements = known.get(source);
  if (statements === undefined) {
    statements = endedByNext(read(source));
    known.set(source, statements);
  }
  return statements;
}

function read(source: Source): Statement[] {
  const sentences = splitSentences(source.text);
  const isTail = ({ text, start, lead }: Sentence): boolean =>
    lead !== null && /^\p{Ll}/u.test(text) && !/^[a-z]{1,2}\)/u.test(text) && source.text[start - 1] === '\n';
  return sentences.flatMap((sentence, i) => {
    if (isTail(sentence)) return [];
    const items = sentence.lead === null ? [] : sentences.filter((other) => other.lead === sentence.lead);
    const tail = items.filter(isTail).map(({ text }) => text);
    const leads = leadsOf(sentences, i);
    return statementsIn(source, {
      text: plain(sentence.text),
      lead: plain([...leads, ...tail].join(' ')),
      tail: plain(tail.join(' ')),
      siblings: items.filter((item) => item !== sentence && !isTail(item)).map(({ text }) => plain(text)),
      resumes: sentences[i - 1]?.block === sentence.block && RESUMING.test(sentence.text),
      first: i === 0,
      quote: plain([...leads, sentence.text].join(' ')),
    });
  });
}

const ANAPHORA = /(?<!\p{L})(?:hierbei|hiervon|insoweit|in diesem Fall|in this case)(?!\p{L})/iu;
const RESUMING =
  /^(?:Der|Die|Das|The) [\p{L}-]+ (?:beträgt|betragen|darf|dürfen|muss|kann|ist|liegt|is|must|may)(?!\p{L})/u;

function leadsOf(sentences: readonly Sentence[], i: number): string[] {
  const leads: string[] = [];
  for (let at = sentences[i]!.lead; at !== null; at = sentences[at]!.lead) leads.unshift(sentences[at]!.text);
  return leads;
}

interface Unit {
  readonly text: string;
  readonly lead: string;
  readonly tail: string;
  readonly siblings: readonly string[];
  readonly resumes: boolean;
  readonly first: boolean;
  readonly quote: string;
}

/** `die sechs Wochen`, `nicht ein Monat`, `vor Ablauf von acht Wochen`: said before, denied, or a time and no amount. */
const MENTIONED =
  /(?:^|[^\p{L}])(?:der|die|das|den|dem|diese[mnrs]?|these|the|nicht|not|(?:der|die|den|the) (?:ersten|nächsten|folgenden|first|next)|Woche mit|(?:vor|nach) (?:Ablauf|Ende) von)\s+$/iu;
/** What held and holds no more (`betrug`, `wurde … eingeführt`), and what a passage reports of others' plans. */
const PAST =
  /(?<!\p{L})(?:betrug|galt|galten|wurden?\s.{0,120}eingeführt|war bis|waren bis|was|were)(?!\p{L})/iu;

function statementsIn(source: Source, unit: Unit): Statement[] {
  const { text, lead, tail } = unit;
  // `hierbei`, `in diesem Fall`: for what was said before, and not here.
  if (PAST.test(text) || ANAPHORA.test(text)) return [];
  const figures = figuresIn(text, source.lang);
  const { conditions, defining, idle, opening } = conditionsOf(text, figures);
  const borders = bordersOf(text, figures);
  // `über 450 Euro und nicht über 1.300 Euro im Monat`: what follows the second is said of both.
  const ofNext = (i: number): string => {
    const next = figures[i + 1];
    return next?.unit === figures[i]!.unit ? nearOf(text.slice(next.end, borders[i + 2])) : '';
  };
  return figures.flatMap((figure, i) => {
    if (idle.has(figure) || conditions.some((condition) => condition.figure === figure)) return [];
    const from = Math.max(borders[i]!, figure.start >= opening ? opening : 0);
    const ahead = text.slice(from, figure.start);
    const behind = text.slice(figure.end, borders[i + 1]);
    const near = nearOf(behind);
    const own = `${ahead}${text.slice(figure.start, figure.end)}${near}`;
    const opens = startOfClause(text, figure.start >= opening ? opening : 0, from);
    const before = text.slice(opens, from);
    if (MENTIONED.test(text.slice(0, figure.start)) || isPlaced(ahead, behind)) return [];
    if (defining.has(figure) && isDenied(text, figure, opening)) return [];
    if (DENIED_CASES.test(lead)) return [];
    // `höchstens acht Stunden am Tag und 40 Stunden in der Woche`: the second takes the word of the first.
    const words = JOINT.test(ahead) && i > 0 ? text.slice(borders[i - 1], figures[i - 1]!.start) : ahead;
    const bound = boundOf(words, clauseOf(behind));
    return [
      {
        source,
        figure,
        bound: bound === 'exact' ? boundOf('', tail) : bound,
        per: periodAt([near, ahead, before, ofNext(i), lead]),
        perOther: isPerOther(near),
        conditions,
        defines: defining.has(figure),
        partial: isPartial(text, figures),
        span: spanAt(source, [own, before, lead]),
        own,
        before,
        opening: `${VERB_FIRST.exec(lead)?.[0] ?? ''} ${text.slice(0, opens)}`.trim(),
        after: text.slice(figure.end + near.length),
        lead,
        resumes: unit.resumes,
        first: unit.first,
        siblings: unit.siblings,
        quote: unit.quote,
      },
    ];
  });
}

/** `frühestens eine Stunde nach Beginn`, `spätestens sieben Wochen vor Beginn`: when something is, not how long. */
const isPlaced = (ahead: string, behind: string): boolean =>
  (/frühestens(?:\s\p{Ll}+)?\s+$/iu.test(ahead) && /^\s*(?:vor|nach|before|after)(?!\p{L})/iu.test(behind)) ||
  (/spätestens(?:\s\p{Ll}+)?\s+$/iu.test(ahead) && /^\s*(?:vor|before)(?!\p{L})/iu.test(behind));

const DENYING = /(?<!\p{L})(?:kein\p{L}{0,2}|nicht|unzulässig|no|not)(?!\p{L})/iu;
const DENIED_CASES =
  /(?<!\p{L})(?:kein\p{L}{0,2}|nicht|no|not)(?!\p{L}).*(?:in (?:diesen|folgenden) Fällen|(?<!\p{L})(?:wenn|sofern|falls|soweit|if|where)(?!\p{L}))/iu;

/** `Keine kurzfristige Beschäftigung liegt vor, wenn …`: what that limit makes something, it is not. */
function isDenied(text: string, { start }: Figure, opening: number): boolean {
  if (start < opening) return DENYING.test(text.slice(opening));
  const condition = text.slice(0, start).search(/(?<!\p{L})(?:wenn|falls|sofern|soweit|if|where)(?!\p{L})/iu);
  return condition > 0 && DENYING.test(text.slice(0, condition));
}

const WORDED_LIMIT = /(?<!nicht )(?:mehr|höher|länger|weniger|niedriger|kürzer) als (?=\p{Ll}{4})/giu;
const TOGETHER =
  /\p{Lu}\p{L}+ (?:und|and) \p{Lu}\p{L}+ (?:\p{Ll}+ ){0,3}(?:zusammen|gemeinsam|insgesamt|together)(?!\p{L})/u;

const isPartial = (text: string, figures: readonly Figure[]): boolean =>
  TOGETHER.test(text) ||
  [...text.matchAll(WORDED_LIMIT)].some(({ index, 0: words }) =>
    figures.every(({ start }) => start < index || start > index + words.length + MAX_ARTICLE),
  );
const MAX_ARTICLE = 8;

const SUBORDINATE =
  /,\s(?:dass|daß|so\s?dass|wenn|weil|obwohl|während|soweit|sofern|falls|wobei|denn|unless|because|so that)(?!\p{L})/giu;

/** Where the clause begins that goes on at `to`: behind the opening, at the last conjunction. */
function startOfClause(text: string, opening: number, to: number): number {
  const last = [...text.slice(0, to + 10).matchAll(SUBORDINATE)].at(-1)?.index ?? 0;
  return Math.min(Math.max(opening, last), to);
}

/** The words that belong to a figure from behind: a few, up to the first comma. */
const nearOf = (behind: string): string => /^(?:[^,;\s]*\s*){0,7}/u.exec(behind)![0];

/** Up to the end of the clause: a relative clause behind the figure goes with it. */
const clauseOf = (behind: string): string => /^[^;:]*/u.exec(behind)![0];

const RANGE = /^\s*(?:bis|to)(?:\s+zu)?\s*$/u;
const JOINT = /^\s*(?:und|sowie|and|,)\s*$/u;
const SEPARATOR = /[,;|](?!\d)|(?<!\p{L})(?:und|oder|sowie|and|or)(?!\p{L})/gu;

/** Where the clause of each figure begins: at the last separator between it and the one before it. */
function bordersOf(text: string, figures: readonly Figure[]): number[] {
  const borders = figures.map((figure, i) => {
    const last = figures[i - 1];
    if (last === undefined) return 0;
    const between = text.slice(last.end, figure.start);
    if (RANGE.test(between)) return last.end;
    return last.end + ([...between.matchAll(SEPARATOR)].at(-1)?.index ?? 0);
  });
  return [...borders, text.length];
}

/** The period that the nearest text names which names one; `null` where that one names several. */
function periodAt(texts: readonly string[]): Period | null {
  const periods = texts.map(periodsIn).find((found) => found.length > 0) ?? [];
  return periods.length === 1 ? periods[0]! : null;
}

function spanAt(source: Source, texts: readonly string[]): Span {
  const ofSource = spanOfSource(source);
  for (const text of texts) {
    const span = spanIn(text, source.lang);
    // A passage for one year may state what holds for another: then that is what counts.
    if (span !== null) return overlaps(span, ofSource) ? meet(span, ofSource) : span;
  }
  return ofSource;
}

/** `ab 1. Januar` holds until the day before the next `ab` of the same thing. */
function endedByNext(statements: readonly Statement[]): Statement[] {
  return statements.map((statement) => {
    const { from, to } = statement.span;
    if (from === null) return statement;
    const next = statements
      .filter((other) => isSameThing(statement, other) && other.span.from! > from)
      .map((other) => dayBefore(other.span.from!))
      .toSorted()[0];
    return next === undefined || (to !== null && to < next)
      ? statement
      : { ...statement, span: { from, to: next } };
  });
}

function isSameThing(a: Statement, b: Statement): boolean {
  return b.span.from !== null && a.figure.unit === b.figure.unit && a.per === b.per && a.bound === b.bound;
}

/** Line breaks as spaces; a space that groups thousands (`39 480 Euro`) as one that cannot be broken at. */
function plain(text: string): string {
  return text
    .replaceAll(/[\n\t ]+/gu, ' ')
    .replaceAll(/(?<![\d.,])\d{1,3}(?: \d{3})+(?=(?:,\d+)? (?:Euro|EUR|€))/gu, (figure) =>
      figure.replaceAll(' ', '\u00A0'),
    )
    .trim();
}
