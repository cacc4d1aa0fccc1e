/**
 * Patterns of questions about the asker's own facts (the remaining leave, whether a form was sent) and not about a
 * rule. Only the asker's own files could answer them.
 */
const WAYS: readonly RegExp[] = [
  // Questions such as `Wie viele Tage habe ich noch übrig?` and `welche Steuerklasse hab ich grad`. A question with a
  // condition is about a rule.
  /(?<!\p{L})(?:wie ?viele?|welche\p{L}*|was|how (?:many|much)|what)(?!\p{L})[^?.!,]*(?<!\p{L})(?:hab(?:e|en)?|hat|steht|stehen|do|have)(?!\p{L})[^?.!,]*(?<!\p{L})(?:noch|grad|gerade|aktuell|derzeit|momentan|übrig|uebrig|left)(?!\p{L})(?![^?.!]*(?:,|(?<!\p{L})(?:bei|nach|if|after)(?!\p{L})))/iu,
  // Questions such as `Ist meine Krankmeldung schon angekommen?` and `Haben wir ihn schon angemeldet?`.
  /(?:^|[.!?:]\s+)(?:hat|haben|ist|sind|wurden?|has|have|is|was|did)\s(?=[^?.!,]*(?<!\p{L})(?:mein\p{L}*|unser\p{L}*|wir|ich|euch|frau|herrn?|kolleg\p{L}*|mandant\p{L}*|my|our|we)(?!\p{L}))[^?.!,]*(?<!\p{L})(?:schon|bereits|already|yet)(?!\p{L})[^?.!,]*\?\s*$/iu,
  // Questions such as `was steht auf meinem Urlaubskonto` and `Stand meiner Direktversicherung`.
  /(?<!\p{L})(?:auf (?:dem|meinem|ihrem|seinem) (?:\p{L}*urlaubs|stunden|zeit|arbeitszeit)?konto\s*(?:\?|$)|stand meine[rs](?!\p{L})|konto stand(?!\p{L}))/iu,
];

/** Whether a question asks for something that only the asker's own files have. */
export const asksOwnCase = (question: string): boolean => WAYS.some((way) => way.test(question.trim()));
