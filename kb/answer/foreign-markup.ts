/** Markup that leads out of a text, or would be read as more than text. */
const MARKUP = new RegExp(
  [
    // A link, a web address or a mail address. It is matched only from the beginning of a word, so that the time stays
    // linear.
    String.raw`\p{L}[\p{L}\d+.-]{0,40}:(?=\S)\S*`,
    String.raw`(?<!\S)\S*//\S*`,
    String.raw`(?<!\S)\S+@\S+`,
    String.raw`(?<![\p{L}\d])(?:[\p{L}\d-]+\.)+\p{L}{2,}(?![\p{L}\d])`,
    // HTML and its entities, and the markup of Markdown and similar formats.
    String.raw`</?[\p{L}!][^>]*>?`,
    String.raw`&#?[\p{L}\d]+;`,
    String.raw`[*_~]{2,}|[\x60|\\{}^]|^\s*(?:#+|>|[-*+])\s`,
    // Text that would be read as a citation, or as one of our own reference numbers.
    String.raw`\[[^\]]*\]?`,
    String.raw`\([\p{Lu}\d][\p{L}\d._-]*-[\p{L}\d._-]+\)`,
  ].join('|'),
  'gmu',
);

/**
 * Whether a text has a link, an address, markup or an id in brackets that none of the sources has: a model must not add
 * such things.
 */
export function hasForeignMarkup(text: string, sources: readonly { readonly text: string }[]): boolean {
  return [...text.matchAll(MARKUP)].some(([found]) => !sources.some((source) => source.text.includes(found)));
}
