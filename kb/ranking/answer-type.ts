/** The kind of thing that a question asks for, which decides what a sentence with the answer must have. */
export type AnswerType = 'person' | 'date' | 'number' | 'duration' | 'place' | 'reason' | 'other';

const QUESTIONS: readonly (readonly [AnswerType, RegExp])[] = [
  [
    'duration',
    /\b(?:wie lange|how long|wie viele (?:jahre|monate|wochen|tage|stunden|minuten)|how many (?:years|months|weeks|days|hours|minutes))\b/iu,
  ],
  [
    'number',
    /\b(?:wie ?viele?|wie (?:hoch|groß|gross|weit|alt|oft|tief|schnell|schwer|lang)|prozent\p{L}*|how (?:many|much|far|old|tall|large|big|often|high|deep|fast)|percent\p{L}*|anteil|anzahl)\b/iu,
  ],
  [
    'date',
    /\b(?:wann|when|welche[mnrs]? (?:jahr|monat|tag|datum|jahrhundert|zeitraum)\p{L}*|(?:what|which) (?:year|month|day|date|century))\b/iu,
  ],
  ['person', /\b(?:wer|wen|wem|wessen|who|whom|whose)\b/iu],
  [
    'place',
    /\b(?:wo|woher|wohin|where|welche[mnrs]? (?:stadt|land|ort|staat|region)|(?:what|which) (?:city|country|state|place|region))\b/iu,
  ],
  ['reason', /\b(?:warum|weshalb|wieso|why|aus welchem grund)\b/iu],
];

// A bare year, the number of a provision and the day of a date do not count.
const DIGITS = String.raw`(?<!§\s?|(?:Abs|Nr|Art|Satz|Section|Article)\.?\s)(?!(?:1[5-9]|20)\p{N}{2}(?![\p{N}.,]*\p{N}))(?<!\p{N})\p{N}(?:[\p{N}.,]*\p{N})?(?!\.\s\p{Lu})`;
const NUMBER = String.raw`${DIGITS}|(?<!\p{L})(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\p{L}*zehn|\p{L}*zig|\p{L}*hundert|\p{L}*tausend|million\p{L}*|milliard\p{L}*|hälfte|drittel|viertel|doppelt\p{L}*|einmal|zweimal|dreimal|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}*teen|twenty|thirty|forty|fifty|hundred|thousand|billion|half|third|quarter|once|twice)(?!\p{L})`;
const TIME_UNIT = String.raw`\p{L}*(?:jahr|monat|woche|tag|stunde|minute|sekunde|jahrzehnt|year|month|week|day|hour|second|decade|centur)\p{L}*`;
const DATES = String.raw`(?<!\p{N})(?:1\p{N}{3}|20\p{N}{2})(?!\p{N})|jahrhundert\p{L}*|centur(?:y|ies)|(?<!\p{L})(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|january|february|march|may|june|july|october|december|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|chr\.|bc|ad)(?!\p{L})`;
const NAME = String.raw`\p{Lu}[\p{L}’'-]*`;

const ANSWERS: Readonly<Record<Exclude<AnswerType, 'other'>, RegExp>> = {
  number: new RegExp(NUMBER, 'giu'),
  duration: new RegExp(String.raw`(?:${NUMBER})(?=[\s-]+(?:\p{L}+\s+)?${TIME_UNIT})`, 'giu'),
  date: new RegExp(DATES, 'giu'),
  // A name has two capitalised words in a row, or one after `von`, `durch` or `by`. A single capitalised word is no
  // sign of a name, because German capitalises all nouns.
  person: new RegExp(
    String.raw`(?<=${NAME}\.?\s+(?:(?:von|van|de|der|of)\s+)?|\b(?:von|durch|by)\s+)${NAME}`,
    'gu',
  ),
  place: new RegExp(
    String.raw`(?<=\b(?:in|im|aus|nach|bei|at|from|near|to|von)\s+(?:(?:der|dem|the)\s+)?)${NAME}`,
    'gu',
  ),
  reason:
    /\b(?:weil|da|denn|um|aufgrund|wegen|damit|dadurch|infolge|because|due|since|so that|in order)\b/giu,
};

export function answerTypeOf(question: string): AnswerType {
  return QUESTIONS.find(([, pattern]) => pattern.test(question))?.[0] ?? 'other';
}

/**
 * Whether the sentence has something of this type that could answer the question and is not in the question itself.
 *
 * @example answersIn('Er wurde 1936 geboren.', 'date', 'Wann wurde er geboren?') // true
 */
export function answersIn(sentence: string, type: AnswerType, question: string): boolean {
  if (type === 'other') return false;
  const asked = question.toLowerCase();
  return [...sentence.matchAll(ANSWERS[type])].some(([found]) => !asked.includes(found.toLowerCase()));
}
