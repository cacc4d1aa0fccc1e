import { isUtf8 } from 'node:buffer';

import { parse } from 'parse5';
import PostalMime, { type Email } from 'postal-mime';

import { isUnsubscribing, withoutFooters } from './footers.ts';
import {
  attributeOf,
  elementsBelow,
  flatten,
  isElement,
  isText,
  namesOf,
  textBelow,
  type HtmlElement,
  type HtmlNode,
} from './html-tree.ts';
import { unitsOfTree } from './html-units.ts';
import { monthOf } from './month.ts';
import { plainText } from './plain-text.ts';
import { introducesMail, ownLines } from './quoted-mail.ts';
import { unitsOfText } from './text.ts';
import { documentOf, Unreadable, type DocumentKind, type Unit } from './unit.ts';

/** A mail: its sender's own text, without quoted mails, greeting, signature and attachments, and the mails attached to it. */
export const eml: DocumentKind = {
  extensions: ['eml'],
  async parse(bytes) {
    return documentOf(await mailOf(bytes, 0));
  },
};

interface Mail {
  readonly title: string;
  readonly stand: string | undefined;
  readonly units: readonly Unit[];
  readonly leftOut: Record<string, number>;
}

/** A mail may be attached to a mail that is attached to another one, and so on to this depth. */
const DEEPEST = 5;

/** @param depth of the mail in others */
async function mailOf(bytes: Uint8Array, depth: number): Promise<Mail> {
  const mail = await read(bytes);
  const title = plainText(mail.subject ?? '');
  const leftOut: Record<string, number> = {};
  const count = (why: string, times = 1): void => {
    leftOut[why] = (leftOut[why] ?? 0) + times;
  };
  const attached: Unit[] = [];
  for (const { filename, mimeType, disposition, content } of mail.attachments) {
    if (/pkcs7-mime|pgp-encrypted/iu.test(mimeType) && mail.html === undefined && mail.text === undefined)
      throw new Unreadable('is encrypted: save it without encryption');
    if (disposition === 'inline' && mimeType.startsWith('image/')) continue;
    const inner = mimeType === MAIL && depth < DEEPEST ? await attachedMail(content, depth + 1) : undefined;
    if (inner === undefined) {
      count(`attachment ${filename ?? mimeType}`);
      continue;
    }
    const text = inner.title === '' ? (filename ?? '') : inner.title;
    if (text !== '') attached.push({ kind: 'heading', level: depth + 1, text });
    attached.push(...inner.units);
    for (const [why, times] of Object.entries(inner.leftOut)) count(why, times);
  }
  // The content of a forwarded mail is its subject.
  const isForwarded = /^(?:fwd?|wg|wtr)\s*:/iu.test(title);
  const parts: Record<string, number> = {};
  const own = isForwarded ? [] : withoutFurniture(withoutCourtesies(unitsOf(mail, parts), parts), parts);
  if (own.length > 0) for (const [why, times] of Object.entries(parts)) count(why, times);
  return {
    title,
    stand: monthOf(mail.date ?? ''),
    units: [...(own.length > 0 ? own : unitsOf(mail)), ...attached],
    leftOut,
  };
}

const MAIL = 'message/rfc822';

/** A mail in another one; `undefined` if it has no text, or none that can be read. */
async function attachedMail(
  content: Email['attachments'][number]['content'],
  depth: number,
): Promise<Mail | undefined> {
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
    const mail = await mailOf(bytes, depth);
    return mail.units.length > 0 ? mail : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

async function read(bytes: Uint8Array): Promise<Email> {
  let mail: Email;
  try {
    mail = await PostalMime.parse(inUtf8(bytes), {
      maxNestingDepth: 50,
      forceRfc822Attachments: true,
    });
  } catch (error) {
    throw new Unreadable('is broken: it cannot be read as a mail', { cause: error });
  }
  const named = new Set(mail.headers.map(({ key }) => key));
  if (!['from', 'date', 'subject', 'message-id'].some((key) => named.has(key)))
    throw new Unreadable('is not a mail');
  return mail;
}

/** A mail that was saved as UTF-16, in UTF-8: its head is ASCII, so that each second byte is zero there. */
function inUtf8(bytes: Uint8Array): Uint8Array {
  const [first, second, ...rest] = bytes.subarray(0, 4);
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const zero = isMarked ? rest.indexOf(0) : [first, second].indexOf(0);
  if (zero === -1) return isUtf8(bytes) ? withKnownNames(bytes) : bytes;
  const text = new TextDecoder(zero === 0 ? 'utf-16be' : 'utf-16le').decode(bytes);
  return Buffer.from(text.replaceAll(/(?<=charset=["']?)utf-16(?:le|be)?/giu, 'utf-8'));
}

/** The mail with the name of UTF-8 in place of each encoding that nobody knows, where it is in UTF-8. */
function withKnownNames(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString();
  const named = text.replaceAll(/(?<=charset=["']?)[\w.:-]+/giu, (name) => (isKnown(name) ? name : 'utf-8'));
  return named === text ? bytes : Buffer.from(named);
}

function isKnown(encoding: string): boolean {
  try {
    return new TextDecoder(encoding).encoding !== '';
  } catch {
    return false;
  }
}

/** With `leftOut`, quoted mails and the signature are removed and counted there; without it, they are kept. */
function unitsOf({ html, text }: Email, leftOut?: Record<string, number>): Unit[] {
  const count = (why: string): void => {
    if (leftOut !== undefined) leftOut[why] = (leftOut[why] ?? 0) + 1;
  };
  if (html !== undefined && html.trim() !== '') {
    const tree = parse(html);
    flatten(tree);
    if (leftOut !== undefined) leaveOutParts(elementsBelow(tree), count);
    const units = unitsOfTree(tree);
    return leftOut === undefined ? units : untilHistory(units, count);
  }
  const lines = (text ?? '').replaceAll(/\r\n?/gu, '\n').split('\n');
  return leftOut === undefined
    ? unitsOfText(lines.map((line) => line.replace(/^(?:>\s?)+/u, '')).join('\n'))
    : unitsOfText(ownLines(lines, count).join('\n'), count);
}

const HISTORY = 'quoted history';
const SIGNATURE = 'signature';
const MENU = 'navigation';

const HISTORY_NAMES = new Set([
  'gmail_quote',
  'gmail_extra',
  'moz-cite-prefix',
  'yahoo_quoted',
  'protonmail_quote',
  'divrplyfwdmsg',
  'appendonsend',
]);
const SIGNATURE_NAMES = new Set([
  'gmail_signature',
  'moz-signature',
  'signature',
  'ms-outlook-mobile-signature',
  'protonmail_signature_block',
]);

/** Parts that mail programs mark as quoted or as a signature. Below Outlook's mark everything is quoted. */
function leaveOutParts(elements: readonly HtmlElement[], count: (why: string) => void): void {
  for (const element of elements) {
    const names = namesOf(element);
    const isQuoted =
      names.some((name) => HISTORY_NAMES.has(name)) ||
      (element.tagName === 'blockquote' && attributeOf(element, 'type') === 'cite');
    const isSignature = names.some((name) => SIGNATURE_NAMES.has(name));
    const isOfMenu = isMenu(element);
    if (!isQuoted && !isSignature && !isOfMenu) continue;
    if (textBelow(element).trim() !== '') count(isQuoted ? HISTORY : isSignature ? SIGNATURE : MENU);
    element.childNodes = [];
    const { parentNode } = element;
    if (names.includes('divrplyfwdmsg') && parentNode !== null && isElement(parentNode))
      parentNode.childNodes = parentNode.childNodes.slice(0, parentNode.childNodes.indexOf(element));
  }
}

/** Fewer links in a row may be what the mail is about. */
const LINKS_OF_MENU = 4;

const BETWEEN_LINKS = /^[\s|·•–/]*[|·•–/][\s|·•–/]*$/u;

const isSign = (node: HtmlNode): boolean => isText(node) && BETWEEN_LINKS.test(node.value);

/** Whether there are links in a row, and beside them nothing but signs between them: `Account | Products | Prices`. */
function isMenu(element: HtmlElement): boolean {
  if (!element.childNodes.some(isSign)) return false;
  const links = element.childNodes.flatMap((node) =>
    isElement(node) ? [node, ...elementsBelow(node)].filter(({ tagName }) => tagName === 'a') : [],
  );
  const linked = links.reduce((sum, link) => sum + plainText(textBelow(link)).length, 0);
  const others = element.childNodes
    .filter((node) => !isSign(node))
    .map((node) => (isText(node) ? node.value : isElement(node) ? textBelow(node) : ''));
  const all = others.reduce(
    (sum, text) =>
      sum +
      plainText(text)
        .replaceAll(/[|·•–/]/gu, '')
        .trim().length,
    0,
  );
  return links.length >= LINKS_OF_MENU && all <= linked;
}

/** A link to the same mail on the web, alone in a line. */
const ON_THE_WEB =
  /^(?:view|read|open)(?: this)?(?: e-?mail| message| newsletter)?(?: online| (?:in|on) (?:your |the |a )?(?:web ?)?(?:browser|site|page|web))[.!]?$|^(?:im|in ihrem) browser (?:ansehen|anzeigen|öffnen|lesen)[.!]?$|^online (?:ansehen|lesen)[.!]?$/iu;
/** The line by which a mailbox parts its mails. */
const OF_MAILBOX = /^From \S+@\S+ (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} +\d/u;

/** Leaves out what a program puts around the text, and counts it. */
function withoutFurniture(units: readonly Unit[], leftOut: Record<string, number>): Unit[] {
  const text = units.filter((unit) => !isParagraph(unit, ON_THE_WEB) && !isParagraph(unit, OF_MAILBOX));
  const [own, footers] = withoutFooters(text, isUnsubscribing);
  const navigation = units.length - text.length;
  if (navigation > 0) leftOut[MENU] = (leftOut[MENU] ?? 0) + navigation;
  if (footers > 0) leftOut['footer'] = (leftOut['footer'] ?? 0) + footers;
  return own;
}

/** `Liebe Kolleginnen und Kollegen,` and its kind, alone in a paragraph. */
const GREETING =
  /^(?:hallo|hi|hey|moin|servus|guten (?:tag|morgen|abend)|grüß gott|liebe[rs]?|sehr geehrte[rs]?|dear|hello|good (?:morning|afternoon|evening))(?: [^.?:;]{1,70})?[,!]?$/iu;
/** `Viele Grüße` and its kind, with a name at most. */
const CLOSING =
  /^(?:(?:mit )?(?:freundliche[nm]?|beste[nm]?|herzliche[nm]?|vielen?|liebe[nr]?|schönen?) gr(?:üße?|uß|üssen?|uss|üßen)|gr(?:üße|uß)|mfg|hochachtungsvoll|(?:(?:kind|best|warm) )?regards|best wishes|(?:yours )?(?:sincerely|faithfully)|best|cheers)(?:[,!.]?$|,? [^.?!:;]{1,60}$)/iu;
/** A greeting is one of so many units at the beginning: a name or the title of a letter may stand above it. */
const LAST_GREETING = 3;
const POSTSCRIPT = /^p\. ?s\.|^ps:/iu;
/** More paragraphs below a closing are no signature. */
const LONGEST_SIGNATURE = 15;

const isParagraph = (unit: Unit | undefined, form: RegExp): boolean =>
  unit?.kind === 'paragraph' && form.test(unit.text);

/** Whether the text goes on below its closing: with a postscript, or with a paragraph that ends as a sentence does. */
const goesOn = (unit: Unit): boolean =>
  unit.kind === 'paragraph' &&
  (POSTSCRIPT.test(unit.text) || (/[.!?]$/u.test(unit.text) && unit.text.split(/\s+/u).length >= 5));

/** Leaves out the greeting, and the closing with what is below it until the text goes on, and counts them. */
function withoutCourtesies(units: readonly Unit[], leftOut: Record<string, number>): Unit[] {
  const greeting = units.slice(0, LAST_GREETING).findIndex((unit) => isParagraph(unit, GREETING));
  const own = units.filter((_, i) => i !== greeting);
  if (greeting !== -1) leftOut['greeting'] = (leftOut['greeting'] ?? 0) + 1;
  const at = own.findLastIndex((unit) => isParagraph(unit, CLOSING));
  if (at === -1) return own;
  const after = own.slice(at);
  const next = after.findIndex((unit, place) => place > 0 && goesOn(unit));
  const length = next === -1 ? after.length : next;
  if (length > LONGEST_SIGNATURE) return own;
  leftOut[SIGNATURE] ??= 1;
  return [...own.slice(0, at), ...after.slice(length)];
}

function untilHistory(units: readonly Unit[], count: (why: string) => void): Unit[] {
  const at = units.findIndex((unit) => unit.kind === 'paragraph' && introducesMail(unit.text));
  const own = at === -1 ? units : units.slice(0, at);
  if (at !== -1) count(HISTORY);
  const mark = own.findIndex((unit) => unit.kind === 'paragraph' && /^--(?:\s|$)/u.test(unit.text));
  if (mark !== -1) count(SIGNATURE);
  return [...(mark === -1 ? own : own.slice(0, mark))];
}
