import { plainText } from './plain-text.ts';

/** The parts of a text that are not its writer's own lines. */
export type NotOwn = 'quoted history' | 'signature';

/** `On … wrote:`, `Am … schrieb …:` and `Ben schrieb am …:`. */
const WROTE =
  /^(?:on|am)\s.{6,200}\b(?:wrote|schrieb)\b.{0,200}:|^\S.{1,120}\s(?:schrieb am|wrote on)\s.{6,80}:$/iu;
const RULE =
  /^(?:-{2,}|_{2,})\s*(?:original message|forwarded message|ursprüngliche nachricht|original-nachricht|weitergeleitete nachricht)\s*(?:-{2,}|_{2,})|^(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)):/iu;
/** A line without words, above the head of a quoted mail. */
const LINE = /^[-_]{5,}\s*$/u;
/** Sender and date in one line, as programs write them that do not break lines. */
const SENDER_AND_DATE = /^(?:from|von):\s.+\b(?:sent|gesendet|date|datum):\s.+/iu;

/** Whether a paragraph is the line above a quoted mail. */
export const introducesMail = (text: string): boolean =>
  WROTE.test(text) || RULE.test(text) || SENDER_AND_DATE.test(text);

/** A line of the head of a mail, as programs copy it: `Von: …`, `*Gesendet:* …`. */
const HEAD =
  /^\*?(?<name>from|von|sent|gesendet|date|datum|to|an|cc|kopie|bcc|reply-to|antwort an|subject|betreff):\*?(?:\s|$)/iu;
const SENDER = /^(?:from|von)$/iu;
const SUBJECT = /^(?:subject|betreff)$/iu;
const SENT = /^(?:sent|gesendet|date|datum)$/iu;

/**
 * The index after the head of a mail that begins here; the given index if there is none. A route (`From: Berlin`,
 * `To: Hamburg`) looks like a head, but has no subject.
 */
function endOfHead(lines: readonly string[], from: number): number {
  const names: string[] = [];
  for (let at = from; at < lines.length; at++) {
    const name = HEAD.exec(lines[at]!)?.groups!['name'];
    // An address may stand in a line of its own below the name.
    if (name === undefined && !(names.length > 0 && /^\s*<\S+@\S+>,?$/u.test(lines[at]!))) break;
    names.push(name ?? '');
  }
  const [first = '', ...others] = names;
  const isHead = SENDER.test(first)
    ? others.some((name) => SUBJECT.test(name) || SENT.test(name))
    : others.some((name) => SENDER.test(name)) && names.some((name) => SUBJECT.test(name));
  return isHead ? from + names.length : from;
}

/** The line above a quoted mail may be broken into this many lines. */
const LINES_OF_WROTE = 3;

/** The index after the introduction of a quoted mail that begins here; the given index if there is none. */
export function endOfIntroduction(lines: readonly string[], from: number): number {
  const first = lines[from]!;
  if (RULE.test(first) || LINE.test(first)) {
    const next = lines.findIndex((line, at) => at > from && line.trim() !== '');
    const head = next === -1 ? next : endOfHead(lines, next);
    if (head > next) return head;
    return RULE.test(first) ? from + 1 : from;
  }
  const head = endOfHead(lines, from);
  if (head > from) return head;
  if (SENDER_AND_DATE.test(first)) return from + 1;
  const most = /^(?:on|am)\s/iu.test(first) ? LINES_OF_WROTE : 1;
  for (let end = from + 1; end <= Math.min(lines.length, from + most); end++) {
    const text = plainText(lines.slice(from, end).join(' '));
    // Without a colon at the end of the line it is a sentence: `On Monday the board wrote: the rooms stay closed.`
    if (WROTE.test(text) && text.endsWith(':')) return end;
  }
  return from;
}

/**
 * The own lines of a mail in plain text: without lines after `>`, without the text below the introduction of a quoted
 * mail, without the text below `-- `.
 */
export function ownLines(lines: readonly string[], count: (why: NotOwn) => void = () => undefined): string[] {
  const own: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (/^--\s?$/u.test(line)) {
      count('signature');
      break;
    }
    const isMarked = line.startsWith('>');
    const end = isMarked ? i : endOfIntroduction(lines, i);
    if (!isMarked && end === i) {
      own.push(line);
      continue;
    }
    count('quoted history');
    // After `>` only the marked lines are quoted, otherwise everything that follows.
    let next = end;
    while (lines[next]?.trim() === '') next++;
    if (lines[next]?.startsWith('>') !== true) break;
    while (lines[next + 1]?.startsWith('>') === true) next++;
    own.push('');
    i = next;
  }
  return own;
}

/** All lines, without the marks of quoted lines and without the introductions that programs write above them. */
export function unquotedLines(lines: readonly string[]): string[] {
  const plain = lines.map((line) => line.replace(/^(?:>\s?)+/u, ''));
  const told: string[] = [];
  for (let i = 0; i < plain.length; i++) {
    const end = endOfIntroduction(plain, i);
    if (end === i) told.push(plain[i]!);
    else i = end - 1;
  }
  return told;
}
