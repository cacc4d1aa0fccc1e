/**
 * Words that negate a statement. `un-` and `-los` make words of their own meaning and are left to content coverage;
 * `nicht nur` and `not only` negate nothing.
 */
const NEGATION =
  /(?<!\p{L})(nicht(?!\s+nur(?!\p{L}))|nichts|kein(?:e[rsnm]?|erlei|esfalls|eswegs)?|nie|niemals|niemand(?:e[nms])?|nirgend(?:s|wo)|weder|ohne|außer|ausser|ausgenommen|not(?!\s+only(?!\p{L}))|cannot|\p{L}+n['’]t|no|never|none|nobody|nothing|nowhere|neither|nor|without|except|unless)(?!\p{L})/giu;

/** The number of negations and exceptions in a text. Equal numbers are taken for the same sense. */
export function negations(text: string): number {
  return [...text.matchAll(NEGATION)].filter((match) => !isNumero(match[0], text, match.index)).length;
}

/** `No. 38` is a number's label. */
function isNumero(word: string, text: string, at: number): boolean {
  return /^no$/iu.test(word) && /^\.?\s*\d/u.test(text.slice(at + 2, at + 8)) && word !== 'no';
}
