/**
 * Words that turn a statement round. `un-` and `-los` are words of their own meaning and left to content coverage;
 * `nicht nur` and `not only` deny nothing.
 */
const NEGATION =
  /(?<!\p{L})(nicht(?!\s+nur(?!\p{L}))|nichts|kein(?:e[rsnm]?|erlei|esfalls|eswegs)?|nie|niemals|niemand(?:e[nms])?|nirgend(?:s|wo)|weder|ohne|außer|ausser|ausgenommen|not(?!\s+only(?!\p{L}))|cannot|\p{L}+n['’]t|no|never|none|nobody|nothing|nowhere|neither|nor|without|except|unless)(?!\p{L})/giu;

/** How often a text denies or excepts something: equal counts are taken for the same sense. */
export function negations(text: string): number {
  return [...text.matchAll(NEGATION)].filter((match) => !isNumero(match[0], text, match.index)).length;
}

/** `No. 38` is a number's label. */
function isNumero(word: string, text: string, at: number): boolean {
  return /^no$/iu.test(word) && /^\.?\s*\d/u.test(text.slice(at + 2, at + 8)) && word !== 'no';
}
