/** Markup that leads out of a text, or would be read as more than text. */
const MARKUP = new RegExp(
  [
    // A link, an address of the web or of mail; looked for from where a word begins, so that it costs what the text is long.
    String.raw`\p{L}[\p{L}\d+.-]{0,40}:(?=\S)\S*`,
    String.raw`(?<!\S)\S*//\S*`,
    String.raw`(?<!\S)\S+@\S+`,
    String.raw`(?<![\p{L}\d])(?:[\p{L}\d-]+\.)+\p{L}{2,}(?![\p{L}\d])`,
    // HTML, and its entities; what Markdown and its kin know.
    String.raw`</?[\p{L}!][^>]*>?`,
    String.raw`&#?[\p{L}\d]+;`,
    String.raw`[*_~]{2,}|[\x60|\\{}^]|^\s*(?:#+|>|[-*+])\s`,
    // What would be read as a citation, or a number of ours.
    String.raw`\[[^\]]*\]?`,
    String.raw`\([\p{Lu}\d][\p{L}\d._-]*-[\p{L}\d._-]+\)`,
  ].join('|'),
  'gmu',
);

/**
 * Whether a text has a link, an address, markup or an id in brackets that none of the sources has: nobody who writes for
 * us may bring such things along.
 */
export function hasForeignMarkup(text: string, sources: readonly { readonly text: string }[]): boolean {
  return [...text.matchAll(MARKUP)].some(([found]) => !sources.some((source) => source.text.includes(found)));
}
