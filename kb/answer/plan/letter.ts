/** How a letter begins and ends, whatever it asks. */
const GREETING =
  /^\s*(?:sehr geehrte[rs]?(?:\s+(?:damen und herren|frau|herr|team)(?:\s+\p{Lu}[\p{L}-]+)?)?(?:\s*,\s*sehr geehrte[rs]?\s+(?:frau|herr)(?:\s+\p{Lu}[\p{L}-]+)?)*|(?:hallo|hi|hey|moin|servus|guten (?:tag|morgen|abend)|grüß gott|liebe[rs]?|dear|hello|good (?:morning|afternoon|evening))(?:\s+(?:zusammen|team|there|all|everyone|leute|kolleg\p{L}*|sir or madam|frau|herr|mr\.?|ms\.?|mrs\.?))*(?:\s+\p{Lu}[\p{L}-]+){0,2})\s*[,!.:]+\s*/iu;
const CLOSING =
  /(?<=[?.!,\n])\s*(?:(?:vielen|herzlichen|besten)\s+dank|danke(?:\s+(?:schon|schön|im|für|euch|ihnen)\s*\p{L}*)*|thanks|thank you|(?:mit\s+)?(?:freundlichen|besten|vielen|lieben|herzlichen|schönen|freundliche|beste|viele|liebe|herzliche|schöne)\s+grü(?:ß|ss)en?|mfg|lg|vg|kind regards|best regards|regards|best wishes|sincerely|cheers)(?!\p{L})[^?]*$/iu;

/**
 * What a letter asks, without its greeting and its closing; a question that has neither stays as it is.
 *
 * @example withoutManners('Hallo zusammen, wie viel Urlaub gibt es? Viele Grüße, Anna') // 'wie viel Urlaub gibt es?'
 */
export function withoutManners(question: string): string {
  const asked = question.replace(GREETING, '').replace(CLOSING, '').trim();
  return /\p{L}/u.test(asked) ? asked : question;
}
