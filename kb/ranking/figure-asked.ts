import { answerTypeOf } from './answer-type.ts';

/** A kind of figure: whether a question asks for it, and whether a text has it. */
interface Figure {
  readonly isAsked: (question: string) => boolean;
  readonly isStated: (text: string) => boolean;
}

/** Any of these patterns as whole words. */
const words = (...patterns: string[]): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${patterns.join('|')})(?!\\p{L})`, 'iu');

const PRICE = '(?:beitr[aä]g|entgelt|gebühr|kaution|kosten|miete|preis)\\p{L}*';
const PRICE_EN = '(?:charge|cost|fare|fee|price|rent)s?';
const PRICE_ASKED = words(
  '(?:was|wie ?viel) (?:kostet|kosten)',
  'wie ?viel .*(?<!\\p{L})kostet',
  'wie teuer',
  `wie hoch .*${PRICE}`,
  `how much (?:is|are) (?:it|they|an?|the .*${PRICE_EN})`,
  'how much (?:do|does) .*(?:cost|pay|charge)',
  'what (?:do|does) .* cost',
  `what(?:['’]s| is| are) the .*${PRICE_EN}`,
);
const PHONE = '(?:(?:fax|handy|mobil|ruf|telefon)nummer|(?:fax|mobile|phone|telephone) number)';
const NUMBER_ASKED = "(?:welche|unter welcher|wie (?:lautet|ist)|which|what(?:['’]s| is)?)";
const PHONE_NUMBER_ASKED = words(
  `${NUMBER_ASKED} (?:\\p{L}+ )*?${PHONE}`,
  `${NUMBER_ASKED} (?:nummer|number) (?:.* )?(?:erreich\\p{L}*|anruf\\p{L}*|ruf\\p{L}*|call)`,
);
/** An amount of money, or that there is none to pay. */
const PRICE_STATED = words(
  '(?:euro?s?|eur|usd|chf|cents?|dollars?|franken|pounds?|prozent|percent)',
  '(?:ist|sind) frei(?=[.,;!]|$)',
  '(?:is|are|for) free(?! to)',
  'free of charge',
  'umsonst|gratis|kostenlos\\p{L}*|kostenfrei\\p{L}*|gebührenfrei\\p{L}*|unentgeltlich\\p{L}*',
  '(?:no|without) (?:\\p{L}+ )?(?:charge|cost|fee)s?',
  '(?:keine|ohne) (?:\\p{L}+ )?(?:kosten|gebühr\\p{L}*)',
);
const AMOUNT = /[€$£%]|\p{N}[.,](?:\p{N}{2}|[-–—])(?![.\p{N}])/u;

const FIGURES: readonly Figure[] = [
  // A price.
  {
    isAsked: (question) => PRICE_ASKED.test(question),
    isStated: (text) => AMOUNT.test(text) || PRICE_STATED.test(text),
  },
  // A telephone number.
  {
    isAsked: (question) => PHONE_NUMBER_ASKED.test(question),
    isStated: (text) => /\+?\p{N}[\p{N} /()–-]{4,}\p{N}/u.test(text),
  },
  // How much of something there is.
  {
    isAsked: (question) => ['number', 'duration'].includes(answerTypeOf(question)),
    isStated: (text) =>
      /\p{N}|(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|half|none|no|any|every|each|all|unlimited|daily|weekly|monthly|eine?[mnrs]?|zwei\p{L}*|drei\p{L}*|vier\p{L}*|fünf\p{L}*|sechs\p{L}*|sieben\p{L}*|acht\p{L}*|neun\p{L}*|zehn\p{L}*|elf|zwölf|hundert|halb\p{L}*|kein\p{L}*|alle|jede\p{L}*|unbegrenzt\p{L}*|beliebig\p{L}*|solange|bis|until|as long|täglich|wöchentlich|monatlich|jährlich)(?!\p{L})/iu.test(
        text,
      ),
  },
];

/**
 * Whether a question asks for a kind of figure that none of the texts has, so that they would answer another question
 * about the subject.
 *
 * @example lacksFigure('Was kostet ein Zimmer?', ['Die Zimmer liegen im ersten Stock.']) // true
 */
export const lacksFigure = (question: string, texts: readonly string[]): boolean =>
  FIGURES.some(({ isAsked, isStated }) => isAsked(question) && !texts.some(isStated));
