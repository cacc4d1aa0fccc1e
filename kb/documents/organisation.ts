/** The name of an organisation, recognised by its legal form or by a word for its kind. */
const NAMED =
  /(?<![\p{L}\d])\p{Lu}[\p{L}\d.&'’-]*\s+(?:(?:\p{Lu}[\p{L}\d.&'’-]*|&|und|für|der|des|im|in|am|of|the|and)\s+){0,6}(?:e\.?\s?V\.?|gGmbH|GmbH(?: & Co\. KG)?|UG|AG|KG|eG|Inc\.?|Ltd\.?|LLC|LLP|Association|Foundation|Society)(?![\p{L}\d])/u;
/** Additions to the name in a running head: a page, a date. */
const BESIDE = /(?:\s*[|·•–—-]?\s*(?:seite|page)?\s*\d{1,3}(?:\s*(?:von|of|\/)\s*\d{1,3})?)(?<!\d{4})\s*$/iu;
/** An addition of a running head to the title: words without a date or number. */
const ADDED = /^\P{N}*\p{L}{3}\P{N}*\s\P{N}*\p{L}{3}\P{N}*$/u;
/** The longest name of an organisation, in characters. */
const LONGEST = 100;

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '');

/**
 * Whether a heading has the title, completely or as its first line, and otherwise only the organisation or a second
 * line.
 */
export const isTitleOf = (title: string, heading: string): boolean =>
  title === heading || (title.startsWith(heading) && /^(?: –|:)? /u.test(title.slice(heading.length)));

/**
 * The title of a document, extended by the name of the organisation if that is only in running heads or footers. These
 * are left out of the text, but a question may name the organisation.
 *
 * @param name the name of the document if it has no title.
 */
export function withOrganisation(
  title: string | undefined,
  name: string,
  running: readonly string[],
): string | undefined {
  const own = title ?? name;
  for (const line of running) {
    const whole = line.replace(BESIDE, '').trim();
    const isLonger = title !== undefined && whole.toLowerCase().startsWith(title.toLowerCase());
    if (isLonger && whole.length <= LONGEST && ADDED.test(whole.slice(title.length))) return whole;
    const [found] = NAMED.exec(line) ?? [];
    if (found !== undefined && !letters(own).includes(letters(found))) return `${own} – ${found}`;
  }
  return title;
}
