import { answerTypeOf } from './answer-type.ts';

/** A kind of figure: whether a question asks for it, and a pattern of texts that have it. */
interface Figure {
  readonly isAsked: (question: string) => boolean;
  readonly stated: RegExp;
}

const PRICE_ASKED =
  /(?<!\p{L})(?:(?:was|wie ?viel) (?:kostet|kosten)|wie ?viel .*(?<!\p{L})kostet|wie teuer|how much (?:(?:is|are) (?:it|they|an?)|(?:do|does) .*(?:cost|pay|charge))|what (?:do|does) .* cost)(?!\p{L})/iu;
const PHONE_NUMBER_ASKED =
  /(?<!\p{L})(?:(?:welche|unter welcher|which|what) (?:\p{L}+ )?(?:telefonnummer|nummer|number) (?:.* )?(?:erreich\p{L}*|anruf\p{L}*|ruf\p{L}*|call)|wie (?:lautet|ist) die telefonnummer|what(?:['’]s| is) the phone number)(?!\p{L})/iu;

const FIGURES: readonly Figure[] = [
  // A price: an amount of money, or the statement that there is none.
  {
    isAsked: (question) => PRICE_ASKED.test(question),
    stated:
      /[€$£%]|(?<!\p{L})(?:euro?s?|cents?|dollars?|pounds?|prozent|percent|free|frei|umsonst|gratis|no (?:fee|charge|cost)s?|keine (?:kosten|gebühr\p{L}*))(?!\p{L})|kostenlos|kostenfrei|gebührenfrei|unentgeltlich|v\. ?h\.|\p{N}[.,](?:\p{N}{2}|[-–—])(?!\p{N})/iu,
  },
  // A telephone number.
  {
    isAsked: (question) => PHONE_NUMBER_ASKED.test(question),
    stated: /\+?\p{N}[\p{N} /()–-]{4,}\p{N}/u,
  },
  // How much of something there is.
  {
    isAsked: (question) => ['number', 'duration'].includes(answerTypeOf(question)),
    stated:
      /\p{N}|(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|half|none|no|any|every|each|all|unlimited|daily|weekly|monthly|eine?[mnrs]?|zwei\p{L}*|drei\p{L}*|vier\p{L}*|fünf\p{L}*|sechs\p{L}*|sieben\p{L}*|acht\p{L}*|neun\p{L}*|zehn\p{L}*|elf|zwölf|hundert|halb\p{L}*|kein\p{L}*|alle|jede\p{L}*|unbegrenzt\p{L}*|beliebig\p{L}*|solange|bis|until|as long|täglich|wöchentlich|monatlich|jährlich)(?!\p{L})/iu,
  },
];

/**
 * Whether a question asks for a kind of figure that none of the texts has, so that they would answer another question
 * about the subject.
 *
 * @example lacksFigure('Was kostet ein Zimmer?', ['Die Zimmer liegen im ersten Stock.']) // true
 */
export const lacksFigure = (question: string, texts: readonly string[]): boolean =>
  FIGURES.some(({ isAsked, stated }) => isAsked(question) && !texts.some((text) => stated.test(text)));
