/**
 * Words that negate a statement. Words with `un-` and `-los` have meanings of their own and are compared like other
 * words; `nicht nur` and `not only` negate nothing.
 */
const NEGATION =
  /(?<!\p{L})(nicht(?!\s+nur(?!\p{L}))|nichts|kein(?:e[rsnm]?|erlei|esfalls|eswegs)?|nie|niemals|niemand(?:e[nms])?|nirgend(?:s|wo)|weder|ohne|außer|ausser|ausgenommen|not(?!\s+only(?!\p{L}))|cannot|\p{L}+n['’]t|no|never|none|nobody|nothing|nowhere|neither|nor|without|except|unless)(?!\p{L})/giu;

/** The number of negations and exceptions in a text. Two texts with equal numbers count as having the same sense. */
export function negations(text: string): number {
  return [...text.matchAll(NEGATION)].filter((match) => !isNumero(match[0], text, match.index)).length;
}

/** Whether `No` is the label of a number, as in `No. 38`. */
function isNumero(word: string, text: string, at: number): boolean {
  return /^no$/iu.test(word) && /^\.?\s*\d/u.test(text.slice(at + 2, at + 8)) && word !== 'no';
}
