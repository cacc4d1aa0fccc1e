import { detectLanguage, fold } from '../../analysis/analysis.ts';
import { namesCountry } from '../../ranking/countries.ts';
import { ownLines, unquotedLines } from '../../documents/quoted-mail.ts';
import { splitSentences } from '../../sentences.ts';
import type { Language } from '../../source.ts';
import { namesSubject, standsAlone } from './leaning.ts';
import { withoutManners } from './letter.ts';
import { asks, beginning } from './plan.ts';
import { linesOfPeople } from './program-output.ts';
import { withoutFields } from './ticket.ts';

/**
 * The question in a text that was pasted with its surroundings. Left out are what programs have written, quoted mail,
 * the fields of a ticket, the senders and times of a chat, and addresses and code before and behind the question. Each
 * of these stays if the rest would ask nothing without it.
 * @example askedIn('> Der Resturlaub verfällt.\n\nWann verfällt er?', 'de') // the second line
 */
export const askedIn = (text: string, language: Language): string =>
  withoutCode(
    withoutAddresses(
      ofTicket(ofChat(withoutQuotedMail(withoutOutput(text, language), language), language), language),
      language,
    ),
    language,
  );

const linesOf = (text: string): string[] => text.split(/\r\n?|\n/u);

function withoutOutput(text: string, language: Language): string {
  const lines = linesOf(text);
  const own = linesOfPeople(lines).join('\n');
  return own === lines.join('\n') ? text : ifItAsks(own.trim(), text, language);
}

/**
 * Returns `asked`, which is left of a text, if it asks something and names its own subject; otherwise the whole text.
 */
function ifItAsks(asked: string, text: string, language: Language): string {
  // The part that was left out, such as a log, may be in another language than the question.
  const of = detectLanguage(asked, language);
  const asking = questionsIn(asked).join(' ');
  return isOwnQuestion(asked, of) && standsAlone(asking === '' ? asked : asking, asked, of) ? asked : text;
}

function ofTicket(text: string, language: Language): string {
  const asked = withoutFields(text);
  return asked === text ? text : ifItAsks(asked, text, language);
}

/** The time and the sender before a message of a chat: `[10:32, 3.3.2022] Sabine: …`, `3.3.22, 10:32 - Sabine: …`. */
const SENT =
  /^[ \t]*(?:\[(?=[^\]\n]*\d:\d\d)[\d.,:/\s-]{4,30}(?:[ap]\.?m\.?)?\]|\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}:\d\d(?::\d\d)?(?:\s[ap]\.?m\.?)?\s[-–])[ \t]*[\p{L}~+][^:\n]{0,40}:[ \t]+/gimu;

/** A day and a time in brackets. No question begins with them. */
const DAY_AND_TIME = /^[ \t]*\[[^\]]*\d[./-]\d/u;

/**
 * Leaves out the senders and times of a chat. They ask nothing, whatever the messages say; only a single line with a
 * time may be an appointment that the question is about.
 */
function ofChat(text: string, language: Language): string {
  const sent = text.match(SENT) ?? [];
  if (sent.length === 0) return text;
  const said = text.replaceAll(SENT, '');
  return sent.length > 1 || DAY_AND_TIME.test(sent[0]!) ? said : ifItAsks(said, text, language);
}

const URL = String.raw`<?(?:https?:\/\/|www\.)[^\s<>]+>?`;
/**
 * A web address that is a line of its own, begins a line, ends a text, or follows a few words and ends with a colon
 * (`Siehe https://…:`). An address within a sentence belongs to the sentence.
 */
const ADDRESS = new RegExp(
  String.raw`^[ \t]*(?:[^\s?]+[ \t]+){0,4}${URL}[ \t]*(?::(?=\s|$)[ \t]*|[–-]+[ \t]+|$)|^[ \t]*${URL}[ \t]+(?:[–-]+[ \t]+)?|(?<=[?.!]\s+)${URL}\s*$`,
  'gimu',
);

function withoutAddresses(text: string, language: Language): string {
  const asked = text.replaceAll(ADDRESS, '').trim();
  return asked === text.trim() ? text : ifItAsks(asked, text, language);
}

/** The sentences of a text that end with a question mark. */
const questionsIn = (text: string): string[] =>
  splitSentences(text).flatMap((sentence) => (sentence.text.endsWith('?') ? [sentence.text] : []));

/** A quoted question to which the line below it refers, as in `Das wüsste ich auch gern.` */
const TAKEN_UP =
  /^>.*\?\s*\n\s*(?<said>(?:[Gg]enau\s+)?(?:[Dd]as|[Dd]asselbe|[Dd]ies(?:e Frage)?|[Tt]his|[Tt]hat|[Tt]he same)\s+(?!\p{Lu})[^.!?\n]*[.!]?)/mu;

function withoutQuotedMail(text: string, language: Language): string {
  const lines = linesOf(text);
  const own = ownLines(lines).join('\n');
  if (own === lines.join('\n')) return text;
  const asked = own.trim();
  const said = TAKEN_UP.exec(lines.join('\n'))?.groups!['said'];
  if (said === undefined && isOwnQuestion(asked, language)) return asked;
  const all = unquotedLines(lines)
    .join('\n')
    .replace(said ?? '', '')
    .trim();
  return /\p{L}/u.test(all) ? all : text;
}

/**
 * Whether a text asks something and names its own subject. A question such as `Stimmt das?` asks about the text that it
 * quotes.
 */
function isOwnQuestion(text: string, language: Language): boolean {
  const question = withoutManners(text, language);
  return (question.includes('?') || asks(question)) && namesSubject(question, question, language);
}

/** Markup that no sentence contains: an element of HTML, or an expression of a template or a shell. */
const MARKUP =
  /<(?<tag>script|style|svg|iframe)\b[^]*?<\/\k<tag>\s*>|<\/?[a-z!][^<>]*>|[$#]?\{\{?[^{}]*\}\}?|\{%[^%]*%\}|<%[^%]*%>|\$\([^()]*\)/iuy;
/** A statement of SQL, up to its end, also with the characters before it that end another statement (SQL injection). */
const SQL =
  /(?:['"]\s*\)?\s*;?\s*|\d+\s*;?\s*)?(?:(?:or|and)\s[^?;=]{0,40}=[^?;]{0,40}?|(?:union\s+(?:all\s+)?)?select\s[^?;]{1,80}?\sfrom\s[^?;]{1,80}?|(?:drop|alter|create|truncate)\s+(?:table|database)\s[^?;]{1,80}?|insert\s+into\s[^?;]{1,80}?|delete\s+from\s[^?;]{1,80}?|update\s+\S{1,40}\s+set\s[^?;]{1,80}?)(?:;|--|#)/iuy;
/** Punctuation that may stand between two pieces of code. */
const BETWEEN = /[\s'"();#-]*/uy;

/** The index at which the code ends that begins at `from`; `from` itself if no code begins there. */
function endOfCode(text: string, from: number, forms: readonly RegExp[]): number {
  const after = (form: RegExp, at: number): number => {
    form.lastIndex = at;
    return form.test(text) ? form.lastIndex : at;
  };
  for (let end = from; ;) {
    const start = end === from ? from : after(BETWEEN, end);
    const next = forms.map((form) => after(form, start)).find((at) => at > start);
    if (next === undefined) return start;
    end = next;
  }
}

/**
 * The question without code before it or behind the last sentence. Code within the question is what it is about, and
 * stays.
 */
function withoutCode(text: string, language: Language): string {
  const start = endOfCode(text, /^\s*/u.exec(text)![0].length, [MARKUP, SQL]);
  const ends = [...text.matchAll(/(?<=[?.!])\s+(?=[<${])/gu)];
  const end = ends.find(
    ({ index, 0: { length } }) => endOfCode(text, index + length, [MARKUP]) === text.length,
  );
  const asked = text.slice(start, end?.index);
  if (asked.length === text.trim().length) return text;
  const isBegun = start === 0 || beginning(asked) !== null || /^\p{Lu}/u.test(asked);
  return isBegun && isOwnQuestion(asked, language) && standsAlone(asked, asked, language) ? asked : text;
}

/** A text with at least this many words besides its question tells a story. */
const STORY = 40;
/** Words that make a question one about the asker. The story may then say something that changes its meaning. */
const OF_ASKER =
  /(?<!\p{L})(?:ich|mir|mich|mein\p{L}*|wir|uns|unser\p{L}*|i|me|my|mine|we|us|our)(?!\p{L})/iu;
const YEAR = /(?<!\p{N})(?:19|20)\d{2}(?!\p{N})/u;

/**
 * The question in a long story, if it can be understood without the story: it names its own subject, and is not about
 * the asker. `null` otherwise, and also if the story names a country or a year, which may change the answer.
 */
export function questionInStory(text: string, language: Language): string | null {
  const [first = '', ...others] = questionsIn(text).map((question) => withoutManners(question, language));
  const question = [first, ...others].join(' ');
  const words = text.split(/[^\p{L}]+/u);
  return first !== '' &&
    words.length - question.split(/[^\p{L}]+/u).length >= STORY &&
    standsAlone(first, text, language) &&
    !OF_ASKER.test(question) &&
    !YEAR.test(text) &&
    !words.some((word) => namesCountry(fold(word, language)))
    ? question
    : null;
}
