import { namesCountry } from '../../ranking/countries.ts';
import { fold } from '../../analysis/analysis.ts';
import type { Language } from '../../source.ts';
import { standsAlone } from './leaning.ts';
import { beginning } from './plan.ts';

/** Words with which a letter begins or ends, whatever it asks. */
const GREETING =
  /^\s*(?:sehr geehrte[rs]?(?:\s+(?:damen und herren|frau|herr|team)(?:\s+\p{Lu}[\p{L}-]+)?)?(?:\s*,\s*sehr geehrte[rs]?\s+(?:frau|herr)(?:\s+\p{Lu}[\p{L}-]+)?)*|(?:hallo|hi|hey|moin|servus|guten (?:tag|morgen|abend)|grüß gott|liebe[rs]?|dear|hello|good (?:morning|afternoon|evening))(?:\s+(?:zusammen|team|there|all|everyone|leute|kolleg\p{L}*|sir or madam|frau|herr|mr\.?|ms\.?|mrs\.?))*(?:\s+\p{Lu}[\p{L}-]+){0,2})\s*[,!.:]+\s*/iu;
const CLOSING =
  /(?<=[?.!,\n])\s*(?:(?:vielen|herzlichen|besten)\s+dank|danke(?:\s+(?:schon|schön|im|für|euch|ihnen)\s*\p{L}*)*|thanks|thank you|(?:mit\s+)?(?:freundlichen|besten|vielen|lieben|herzlichen|schönen|freundliche|beste|viele|liebe|herzliche|schöne)\s+grü(?:ß|ss)en?|mfg|lg|vg|kind regards|best regards|regards|best wishes|sincerely|cheers)(?!\p{L})[^?]*$/iu;

/** Phrases that name who asks, or that ask for a confirmation. Neither changes the question. */
const WHO = String.raw`(?:chef|gf|geschäftsführer|vorgesetzte|steuerberater|buchhalt|personal|kolleg|anwält|anwalt|boss|manager|supervisor|hr|accountant|colleague|coworker|lawyer)\p{L}*`;
const HEARSAY = new RegExp(
  String.raw`^(?:(?:mein|unser|my|our)\p{L}*|der|die|the)\s+${WHO}\s+(?:(?:sagt|meint|behauptet|schreibt|glaubt)(?:,\s*da(?:ss|ß)|\s*[,:])|(?:says|claims|thinks|writes)(?:,|:|\s+that)?|(?:(?:will|möchte)\s+wissen|fragt)(?:,?\s*ob|,)?|asks(?:\s+(?:whether|if)|,)?)\s+(?!\s*(?:er|sie|es|ihm|ihr|he|she|it|they)(?!\p{L}))`,
  'iu',
);
const IS_IT_SO =
  /(?:\s+[-–—]+|,)\s*(?:stimmt(?:'?s|\s+das)?(?:\s+so)?|richtig|korrekt|ist\s+das\s+(?:so|richtig|wahr|korrekt)|right|correct|is\s+(?:that|this|it)\s+(?:so|right|true|correct))\s*[?.!]*$/iu;

/**
 * The question in a letter, without greeting, closing and the name of who asks; a question without greeting or closing
 * stays unchanged.
 *
 * @example withoutManners('Hallo zusammen, wie viel Urlaub gibt es? Viele Grüße, Anna')
 * 'wie viel Urlaub gibt es?'
 */
export function withoutManners(question: string, language: Language): string {
  const asked = question
    .replace(GREETING, '')
    .replace(CLOSING, '')
    .trim()
    .replace(HEARSAY, '')
    .replace(IS_IT_SO, '?')
    .trim();
  return /\p{L}/u.test(asked) ? withoutLead(asked, language) : question;
}

/** Words of a clause that only announces a question. */
const ASKS_FOR_ANSWER =
  /(?<!\p{L})(?:fragen?|frag|wissen|antwort|auskunft|info|rückmeldung|questions?|wonder\p{L}*|answer|know)(?!\p{L})/iu;
/** Words with which an announcing clause adds something about the subject, or about the person who asks. */
const SAYS_MORE =
  /(?<!\p{L})(?:und|and|zum?|zur|wegen|bezüglich|betreffs?|über|about|regarding|concerning)(?!\p{L})|\p{N}{4}/iu;
const WHO_ASKS = /^(?:als|as an?)\s/iu;
const OWN = /(?<!\p{L})(?:ich|mir|mich|mein\p{L}*|i|me|my)(?!\p{L})/iu;
/** The end of a clause, after which a question may begin. */
const CLAUSE_ENDS = /[:,.!]\s+|\n\s*/gu;
/** The most clauses of a text that are examined. */
const MAX_CLAUSES = 12;

/**
 * A question without a clause before it that only announces it (`Ich brauche dringend eine Antwort, …`), if the rest is
 * a question of its own. A clause that names the subject, a country or a year stays.
 */
function withoutLead(text: string, language: Language): string {
  const ends = [...text.matchAll(CLAUSE_ENDS)].slice(0, MAX_CLAUSES);
  for (const { index, 0: end } of ends) {
    const [lead, rest] = [text.slice(0, index), text.slice(index + end.length)];
    if (lead.includes('?')) return text;
    const asks = beginning(rest.replace(/^(?:[-*•–]|\p{N}+[.)]|[a-z]\))\s+/iu, '')) !== null;
    if (!ASKS_FOR_ANSWER.test(lead) || !asks || !standsAlone(rest, text, language)) continue;
    const isMore =
      SAYS_MORE.test(lead) ||
      (WHO_ASKS.test(lead) && OWN.test(rest)) ||
      lead.split(/[^\p{L}]+/u).some((word) => namesCountry(fold(word, language)));
    return isMore ? text : rest;
  }
  return text;
}
