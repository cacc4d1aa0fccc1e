import { isUtf8 } from 'node:buffer';

import { parse } from 'parse5';
import PostalMime, { type Email } from 'postal-mime';

import { isCourtesyLine, withoutCourtesies } from './courtesies.ts';
import { isUnsubscribing, withoutFooters } from './footers.ts';
import { forwardedIn } from './forwarded.ts';
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
  type HtmlParent,
} from './html-tree.ts';
import { textOfUnit, unitsOfTree } from './html-units.ts';
import { monthOf } from './month.ts';
import { plainText } from './plain-text.ts';
import { introducesMail, ownLines } from './quoted-mail.ts';
import { unitsOfText } from './text.ts';
import { documentOf, Unreadable, type DocumentKind, type Unit } from './unit.ts';
import { wordSet } from '../word-list.ts';

/**
 * A mail: its sender's own text, without quoted mails, greeting, signature and attachments, and also the text of mails
 * attached to it.
 */
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

/** The greatest depth of attached mails: a mail may be attached to a mail that is attached to another one. */
const DEEPEST = 5;

/** @param depth the number of mails that this one is within. */
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
    const inner = MAIL.test(mimeType) && depth < DEEPEST ? await attachedMail(content, depth + 1) : undefined;
    if (inner === undefined) {
      count(`attachment ${filename ?? mimeType}`);
      continue;
    }
    const text = inner.title === '' ? (filename ?? '') : inner.title;
    if (text !== '') attached.push({ kind: 'heading', level: depth + 1, text });
    attached.push(...inner.units);
    for (const [why, times] of Object.entries(inner.leftOut)) count(why, times);
  }
  const parts: Record<string, number> = {};
  const letters = lettersOf(mail, FORWARDED.test(title), (why) => {
    // A signature may have several marks, and counts once.
    parts[why] = why === SIGNATURE ? 1 : (parts[why] ?? 0) + 1;
  });
  const told = withoutFurniture(letters, parts);
  if (told.length > 0) for (const [why, times] of Object.entries(parts)) count(why, times);
  const own = told.length > 0 ? told : unitsOf(mail);
  return {
    title,
    stand: monthOf(mail.date ?? ''),
    units: [
      ...(saysMore(title, own) ? [{ kind: 'paragraph', text: title } as const] : []),
      ...own,
      ...attached,
    ],
    leftOut,
  };
}

/** The beginning of the subject of a forwarded mail, whose content is the mail that it forwards. */
const FORWARDED = /^\[?(?:fwd?|wg|wtr)\s*:/iu;
/** The types of attached mails; articles of newsgroups are mails as well. */
const MAIL = /^message\/(?:rfc822|news)$/u;

/** Whether the subject has a number that the text does not have, such as that of an invoice, or a date. */
function saysMore(subject: string, units: readonly Unit[]): boolean {
  const text = units.map(textOfUnit).join(' ');
  return units.length > 0 && (subject.match(/\d[\d.,:/-]*/gu) ?? []).some((number) => !text.includes(number));
}

/** The text of an attached mail; `undefined` if there is none, or it cannot be read. */
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

/**
 * A mail that was saved as UTF-16, converted to UTF-8. It is recognised by its ASCII head, in which each second byte is
 * zero.
 */
function inUtf8(bytes: Uint8Array): Uint8Array {
  const [first, second, ...rest] = bytes.subarray(0, 4);
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const zero = isMarked ? rest.indexOf(0) : [first, second].indexOf(0);
  if (zero === -1) return isUtf8(bytes) ? withKnownNames(bytes) : bytes;
  const text = new TextDecoder(zero === 0 ? 'utf-16be' : 'utf-16le').decode(bytes);
  return Buffer.from(text.replaceAll(/(?<=charset=["']?)utf-16(?:le|be)?/giu, 'utf-8'));
}

/** The mail with its unknown encoding names replaced by UTF-8, if its bytes are UTF-8. */
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

/** The whole text of a mail, including quoted mails and its signature. */
function unitsOf(mail: Email): readonly Unit[] {
  const written = htmlOf(mail);
  return written === undefined
    ? unitsOfText(linesOf(mail).map(withoutQuoteMarks).join('\n'))
    : unitsOfTree(treeOf(written));
}

/**
 * The mail's own text: without greetings and signatures, without heads of forwarded mails, and without quoted mails
 * unless they are its content.
 */
function lettersOf(mail: Email, isForwarded: boolean, count: (why: string) => void): readonly Unit[] {
  const writer = mail.from?.name ?? '';
  const finish = (units: readonly Unit[], name = writer): readonly Unit[] =>
    withoutCourtesies(untilHistory(units, isForwarded, count), name, count);
  const written = htmlOf(mail);
  if (written !== undefined) {
    const tree = treeOf(written);
    leaveOutParts(elementsBelow(tree), isForwarded, count);
    setCourtesiesApart(tree, writer);
    const units = unitsOfTree(tree);
    if (!isForwarded) return finish(units);
    return forwardedIn(units, lineOf).flatMap((each) => finish(each.parts, each.writer));
  }
  const lines = withoutEnvelope(linesOf(mail), count);
  const apart = (some: readonly string[], name = writer): string =>
    some.map((line) => (isCourtesyLine(line.trim(), name) ? `\n${line}\n` : line)).join('\n');
  return isForwarded
    ? forwardedIn(lines.map(withoutQuoteMarks), (line) => line).flatMap(({ parts, writer: name }) =>
        finish(unitsOfText(apart(untilSignature(parts, count), name), count), name),
      )
    : finish(unitsOfText(apart(ownLines(lines, count)), count));
}

const lineOf = (unit: Unit): string => (unit.kind === 'paragraph' ? unit.text : '');

const linesOf = ({ text }: Email): string[] => (text ?? '').replaceAll(/\r\n?/gu, '\n').split('\n');

const withoutQuoteMarks = (line: string): string => line.replace(/^(?:>\s?)+/u, '');

function treeOf(written: string): HtmlParent {
  const tree = parse(written);
  flatten(tree);
  return tree;
}

/**
 * The beginning of HTML in a text that the mail declares as plain, in its first line or that of a second alternative.
 */
const IS_HTML =
  /(?:^|\n)\s*<(?:!doctype html|html|head|body|div|p|table|span|meta|style)\b[^>]*>[\s\S]*<\/\w+>\s*$/iu;

function htmlOf({ html, text = '', headers }: Email): string | undefined {
  if (html !== undefined && html.trim() !== '') return html;
  const at = text.search(IS_HTML);
  if (at === -1) return undefined;
  const kind = headers.find(({ key }) => key === 'content-type')?.value ?? '';
  return text.slice(0, at).trim() === '' || /^multipart\/alternative/iu.test(kind)
    ? text.slice(at)
    : undefined;
}

const HISTORY = 'quoted history';
const SIGNATURE = 'signature';
const MENU = 'navigation';

const HISTORY_NAMES = wordSet(`
  gmail_quote gmail_extra moz-cite-prefix yahoo_quoted protonmail_quote divrplyfwdmsg appendonsend`);
const SIGNATURE_NAMES = wordSet(`
  gmail_signature moz-signature signature ms-outlook-mobile-signature protonmail_signature_block`);

/**
 * Leaves out parts that mail programs mark as quoted (unless they are the content) or as a signature. Below Outlook's
 * mark everything is quoted.
 */
function leaveOutParts(
  elements: readonly HtmlElement[],
  isForwarded: boolean,
  count: (why: string) => void,
): void {
  for (const element of elements) {
    const names = namesOf(element);
    const isQuoted =
      !isForwarded &&
      (names.some((name) => HISTORY_NAMES.has(name)) ||
        (element.tagName === 'blockquote' && attributeOf(element, 'type') === 'cite'));
    const isSignature = names.some((name) => SIGNATURE_NAMES.has(name));
    const isOfMenu = isMenu(element);
    if (!isQuoted && !isSignature && !isOfMenu) continue;
    if (textBelow(element).trim() !== '') count(isQuoted ? HISTORY : isSignature ? SIGNATURE : MENU);
    element.childNodes = [];
    const { parentNode } = element;
    if (isQuoted && names.includes('divrplyfwdmsg') && parentNode !== null && isElement(parentNode))
      parentNode.childNodes = parentNode.childNodes.slice(0, parentNode.childNodes.indexOf(element));
  }
}

/** Links in a row are a menu from this number on. Fewer may be what the mail is about. */
const LINKS_OF_MENU = 4;

const BETWEEN_LINKS = /^[\s|·•–/]*[|·•–/][\s|·•–/]*$/u;

const isSign = (node: HtmlNode): boolean => isText(node) && BETWEEN_LINKS.test(node.value);

/** Whether an element has only links in a row, with nothing but signs between them: `Account | Products | Prices`. */
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

/** A link to the mail itself on the web, alone in a line. */
const ON_THE_WEB =
  /^(?:view|read|open)(?: this)?(?: e-?mail| message| newsletter)?(?: online| (?:in|on) (?:your |the |a )?(?:web ?)?(?:browser|site|page|web))[.!]?$|^(?:im|in ihrem) browser (?:ansehen|anzeigen|öffnen|lesen)[.!]?$|^online (?:ansehen|lesen)[.!]?$/iu;
/** The line that separates two mails in a mailbox file. */
const OF_MAILBOX = /^From \S+@\S+ (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} +\d/u;
const OF_PROGRAM =
  /^(?:get outlook for \w+|(?=.{0,60}\b(?:iphone|ipad|android|samsung|galaxy|outlook|mail|mail-?app|yahoo|gmx|web\.de|blackberry|smartphone|handy|windows)\b)(?:sent (?:from|via|with|using)|gesendet (?:von|mit|über)|von .{2,50} gesendet).{0,60}|diese (?:e-mail|nachricht) wurde von (?:meinem|einem) .{2,50} gesendet)\.?$/iu;
/** The notice that only the receiver may read the mail. */
const CONFIDENTIAL =
  /^(?:(?:confidentiality notice|disclaimer|hinweis):? )?(?:this (?:e-?mail|message)\b.{0,120}\b(?:confidential|privileged|intended (?:only|solely))\b|(?:the information|the contents?) (?:contained )?(?:in|of) this (?:e-?mail|message)\b.{0,200}\bconfidential\b|diese (?:e-mail|nachricht)\b.{0,120}\b(?:vertrauliche?|rechtlich geschützte)\b|der inhalt dieser (?:e-mail|nachricht) ist\b.{0,60}\bvertraulich\b|if you (?:are not the (?:intended|named)|have received this (?:e-?mail|message|communication) in error)\b|(?:wenn|falls|sollten) sie (?:nicht der (?:richtige|beabsichtigte|vorgesehene) (?:adressat|empfänger)|diese e-mail irrtümlich)\b)/iu;
const OF_ALL_MAILS = [ON_THE_WEB, OF_MAILBOX, OF_PROGRAM, CONFIDENTIAL];

/** Leaves out what a program or an office adds around the text, and counts it. */
function withoutFurniture(units: readonly Unit[], leftOut: Record<string, number>): Unit[] {
  const text = units.filter(
    (unit) => unit.kind !== 'paragraph' || !OF_ALL_MAILS.some((form) => form.test(unit.text)),
  );
  const [own, footers] = withoutFooters(text, isUnsubscribing);
  const navigation = units.length - text.length;
  if (navigation > 0) leftOut[MENU] = (leftOut[MENU] ?? 0) + navigation;
  if (footers > 0) leftOut['footer'] = (leftOut['footer'] ?? 0) + footers;
  return own;
}

/** Ends a paragraph before and after a line of HTML that is a greeting, a closing or the mark of a signature. */
function setCourtesiesApart(tree: HtmlParent, writer: string): void {
  for (const element of elementsBelow(tree)) {
    const { childNodes } = element;
    if (!childNodes.some(isBreak)) continue;
    element.childNodes = childNodes.flatMap((node, i): HtmlNode[] => {
      const [before, next] = [childNodes[i - 1], childNodes[i + 1]];
      const isLine = (before === undefined || isBreak(before)) && (next === undefined || isBreak(next));
      const text = plainText(isText(node) ? node.value : isElement(node) ? textBelow(node) : '');
      if (!isLine || !(isCourtesyLine(text, writer) || text === '--')) return [node];
      return [...(before === undefined ? [] : [before]), node, ...(next === undefined ? [] : [next])];
    });
  }
}

const isBreak = (node: HtmlNode): boolean => isElement(node) && node.tagName === 'br';

/**
 * The units without quoted mails, unless these are the content, and without everything below the mark of a signature.
 */
function untilHistory(
  units: readonly Unit[],
  isForwarded: boolean,
  count: (why: string) => void,
): readonly Unit[] {
  const at = isForwarded
    ? -1
    : units.findIndex((unit) => unit.kind === 'paragraph' && introducesMail(unit.text));
  const own = at === -1 ? units : units.slice(0, at);
  if (at !== -1) count(HISTORY);
  const mark = own.findIndex((unit) => unit.kind === 'paragraph' && /^--(?:\s|$)/u.test(unit.text));
  if (mark !== -1) count(SIGNATURE);
  return mark === -1 ? own : own.slice(0, mark);
}

/** The line above the address of a mailing list. */
const RULE = /^_{10,}$/u;
const OF_MAILING_LIST = /mailing[ -]?list|mailingliste/iu;
const SIGNED = /^-----BEGIN PGP SIGNED MESSAGE-----$/u;
const KEY = /^-----BEGIN PGP (?:SIGNATURE|PUBLIC KEY BLOCK)-----$/u;

/** The lines without those that a mailing list or a signed mail adds around its text. */
function withoutEnvelope(lines: readonly string[], count: (why: string) => void): string[] {
  const end = lines.findIndex(
    (line, i) =>
      KEY.test(line.trim()) || (RULE.test(line.trim()) && OF_MAILING_LIST.test(lines[i + 1] ?? '')),
  );
  if (end !== -1) count('footer');
  const own = end === -1 ? [...lines] : lines.slice(0, end);
  const signed = own.findIndex((line) => SIGNED.test(line.trim()));
  if (signed !== -1) own.splice(signed, own[signed + 1]?.startsWith('Hash:') === true ? 2 : 1);
  return own;
}

/** The lines above `-- `, which begins a signature. */
function untilSignature(lines: readonly string[], count: (why: string) => void): readonly string[] {
  const at = lines.findIndex((line) => /^--\s?$/u.test(line));
  if (at === -1) return lines;
  count(SIGNATURE);
  return lines.slice(0, at);
}
