import { answerTypeOf } from './answer-type.ts';

/** A kind of figure: whether a question asks for it, and whether a sentence has it. */
interface Figure {
  readonly isAsked: (question: string) => boolean;
  readonly isStated: (sentence: string) => boolean;
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
/** An amount of money, or the statement that nothing has to be paid. */
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

/** Words after which a question names the thing whose size it asks for (`What is the spending limit?`). */
const SIZE =
  'age|allowance|amount|bonus|budget|charge|cost|deductible|discount|fare|fee|length|limit|maximum|minimum|number|percentage|price|rate|rent|salary';
const SIZE_ASKED = words(
  `what(?:['’]s| is| are) (?:the|my|our|your) (?:\\p{L}+ ){0,3}(?:${SIZE})s?`,
  `(?:at|from|up to) (?:what|which) (?:${SIZE})`,
  '(?:ab|bis zu|mit|in) welche[mnr] (?:alter|betrag|höhe)',
  'welche[rnms]? (?:anzahl|betrag|höhe|preis|prozentsatz|summe)',
);
const VERSION_ASKED = words('(?:which|what|welche[rnms]?) (?:\\p{L}+[ -]){0,2}version');
/** A number that counts or measures: not the mark of an item, a date, a year, a provision, or part of a name (`2FA`). */
const COUNT = [
  String.raw`(?<![\p{L}\p{N}_.,/-]|§\s?|(?:Abs|Art|Kapitel|Nr|Satz|Schritt|Seite|Version|Release|step|page|section|chapter)\.?\s)`,
  String.raw`(?!0\p{N}|(?<=^\s*)\p{N}{1,3}[.)]\s|\p{N}{1,2}\.\s?\p{N}{1,2}\.|(?:19|20)\p{N}{2}(?![\p{N}.,]))`,
  String.raw`\p{N}[\p{N}.,]*(?=(?:x|h|min|k?m|cm|k?g|[kmg]b)?(?!\p{L}))`,
].join('');
const COUNT_WORDS =
  'ein(?:hundert|tausend)|(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)(?:hundert|tausend|zehn|zig\\p{L}*)?|zwanzig|dreißig|hundert|tausend|dutzend|halb\\p{L}*|hälfte|drittel|viertel|dritte[rn]?|einmal|zweimal|dreimal|doppelt\\p{L}*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand|half|third|quarter|once|twice|double';
const COUNTED = new RegExp(`${COUNT}|(?<!\\p{L})(?:${COUNT_WORDS})(?!\\p{L})`, 'iu');
const NONE_OR_ALL = words(
  'none|unlimited|no (?:limit|maximum|minimum)|both|unbegrenzt\\p{L}*|beliebig\\p{L}*|keine (?:grenze|begrenzung)|beide\\p{L}*',
);
const TIME = '(?:jahr|monat|woche|tag|stunde|minute|sekunde|year|month|week|day|hour|minute|second)';
/**
 * Words between a number and the unit of time by which it is counted (`9,82 Euro je Stunde`). The number is then no
 * duration.
 */
const PER = '(?:je|pro|per|every|each|in|im|am|an?|der|die|the|euro?s?|dollars?|pounds?|prozent|percent)';
const LASTING = new RegExp(
  `(?:${COUNT}|(?<!\\p{L})(?:${COUNT_WORDS}|eine[mnrs]?|an?))[\\s-]+(?:(?!${PER}[\\s-])\\p{L}+[\\s-]+){0,2}\\p{L}*${TIME}|(?<!\\p{L})(?:until|as long as|indefinitely|permanently|forever|immediately|bis|solange|dauerhaft|unbefristet|lebenslang|sofort|ganztägig|ganzjährig)(?!\\p{L})|\\p{N}(?:[:.]\\p{N}{2})? ?(?:uhr|am|pm)(?!\\p{L})`,
  'iu',
);
const REPEATED = words(
  'every|each|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|never|always|regularly|(?:once|twice|times)|jede\\p{L}*|täglich|wöchentlich|monatlich|vierteljährlich|halbjährlich|jährlich|alle|nie|immer|regelmäßig|\\p{L}*mal(?:s|ig)?|pro (?:tag|woche|monat|quartal|jahr)|per (?:day|week|month|year)',
);
const OFTEN = /(?<!\p{L})(?:wie (?:oft|häufig)|how often|how frequently)(?!\p{L})/iu;

/** Questions about opening hours, or about the time of day at which something happens. */
const HOURS_ASKED = words(
  '(?:um )?wie ?viel uhr|(?:zu )?welche[rn]? uhrzeit|(?:öffnungs|sprech)zeiten|sprechstunden?',
  '(?:at )?what time|(?:opening|office|business) (?:hours|times)',
  '(?:wann|wie lange) (?:hat|haben|ist|sind) .*(?:offen|geöffnet)(?=\\W*$)',
  '(?:when|how long) (?:is|are|do|does) .*(?:opens?|closed?|closes)(?=\\W*$)',
);
const HOURS_STATED = words(
  '\\d{1,2}(?:[:.]\\d{2})? ?(?:uhr|h|am|pm|a\\.m|p\\.m)|\\d{1,2}:\\d{2}',
  '(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?',
  'jederzeit|rund um die uhr|ganztägig|durchgehend|any ?time|around the clock|all day|noon|midnight|mittags|mitternacht',
);

/** A time: a time of the day, a day, a month, or how long before or after something. */
export const TIME_STATED = new RegExp(
  String.raw`${HOURS_STATED.source}|${LASTING.source}|\p{N}\.\s?(?:\p{N}{1,2}\.|\p{L}{3,9}(?!\p{L}))|(?<!\p{L})(?:spätestens|unverzüglich|beginn|ende|ablauf|when|once|wenn|sobald|before|after|within|by)(?!\p{L})`,
  'iu',
);

const FIGURES: readonly Figure[] = [
  // A time of the day.
  {
    isAsked: (question) => HOURS_ASKED.test(question),
    isStated: (sentence) => HOURS_STATED.test(sentence),
  },
  // A price.
  {
    isAsked: (question) => PRICE_ASKED.test(question),
    isStated: (sentence) => AMOUNT.test(sentence) || PRICE_STATED.test(sentence),
  },
  // A telephone number.
  {
    isAsked: (question) => PHONE_NUMBER_ASKED.test(question),
    isStated: (sentence) => /\+?\p{N}[\p{N} /()–-]{4,}\p{N}/u.test(sentence),
  },
  // A version.
  {
    isAsked: (question) => VERSION_ASKED.test(question),
    isStated: (sentence) => /(?<![\p{L}\p{N}])v?\p{N}+(?:\.\p{N}+)*(?!\p{N})/iu.test(sentence),
  },
  // How often.
  {
    isAsked: (question) => OFTEN.test(question),
    isStated: (sentence) => REPEATED.test(sentence) || LASTING.test(sentence),
  },
  // How long.
  {
    isAsked: (question) => answerTypeOf(question) === 'duration',
    isStated: (sentence) => LASTING.test(sentence) || NONE_OR_ALL.test(sentence),
  },
  // How much or how many.
  {
    isAsked: (question) => answerTypeOf(question) === 'number' || SIZE_ASKED.test(question),
    isStated: (sentence) =>
      COUNTED.test(sentence) || PRICE_STATED.test(sentence) || NONE_OR_ALL.test(sentence),
  },
];

/**
 * A question for a way to find a figure does not ask for the figure itself (`Wie finde ich heraus, welche Version
 * läuft?`).
 */
const HOW_TO_LEARN = words(
  'wie (?:kann|erfahre|finde|prüfe|sehe) (?:ich|man|wir)(?: .*)? (?:heraus\\p{L}*|erfahren|prüfen|sehen|welche[nrms]?|wie|ob|wann)',
  'how (?:can|do|to)(?: (?:i|we|you))? (?:check|find out|see|tell)',
  'wo (?:sehe|finde) (?:ich|man|wir)|where (?:can|do) (?:i|we|you) (?:see|find)',
);

/** The kind of figure that a question asks for. */
export const figureAsked = (question: string): Figure | undefined =>
  HOW_TO_LEARN.test(question) ? undefined : FIGURES.find(({ isAsked }) => isAsked(question));

/** Whether a word only asks for a figure, and does not say what the figure is about (`viel`, `Stunden`). */
export const isOfFigure = (word: string): boolean => QUANTITY.test(word);

const QUANTITY =
  /^(?:viele?|lange?|hoch|hohe[rnms]?|oft|häufig|teuer|alt|kostet|kosten|beträgt|pro|je|much|many|long|often|far|old|high|big|large|costs?|per|how|wie|what|tage?n?|wochen?|monate?n?|jahre?n?|stunden?|minuten?|days?|weeks?|months?|years?|hours?|minutes?|get|do|does|is|are|kann|muss|welche[mnrs]?|alter|wann|when|m[²³]|qm|k?m|kg|(?:kilo|kubik|quadrat)?metern?|litern?|kilometers?|square|cubic|offen|geöffnet|open|opens|close|closes|closed|uhr|uhrzeit|time)$/iu;
