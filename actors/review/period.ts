/** What an amount is for: so much an hour, a day … `unit` is for one of something (a kilometre, a child). */
export type Period = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

const WORDS: readonly (readonly [Period, RegExp])[] = [
  [
    'hour',
    /\bstündlich|\bhourly\b|(?:\b(?:je|pro|per|an|a|die|every|each)\s+|\/\s*)(?:\p{L}+e\s+)?(?:zeit|arbeits|lohn)?(?:stunde|std\b|hour|h\b)/iu,
  ],
  [
    'day',
    /(?<!\p{L})(?<!Ende der )(?:kalender|arbeits|werk)?täglich|\bdaily\b|(?:\b(?:je|pro|per|am|an\s+einem|a|für\s+einen|every|each|für\s+jeden|jeden)\s+|\/\s*)(?:\p{L}+(?:en|n)\s+)?(?:kalender|arbeits|werk)?(?:tag(?!e)|day)/iu,
  ],
  [
    'week',
    /(?<!\p{L})wöchentlich|\bweekly\b|wochenstunden|(?:\b(?:je|pro|per|in\s+der|in\s+jeder|a|every|each)\s+|\/\s*)(?:kalender|arbeits)?(?:woche|week)(?!n)/iu,
  ],
  [
    'month',
    /(?<!\p{L})monatlich|\bmonthly\b|(?<!\d\s?)\bp\.\s?m\.|(?:\b(?:je|pro|per|im|a|every|each|für\s+den)\s+|\/\s*)(?:kalender)?(?:monat(?!e)|month)/iu,
  ],
  ['quarter', /(?<!\p{L})vierteljährlich|\bquarterly\b|(?:\b(?:je|pro|per|im)\s+)(?:quartal|quarter)/iu],
  [
    'year',
    /(?<!\p{L})(?:jährlich|kalenderjährlich)|\byearly\b|\bannual(?:ly)?\b|\bp\.\s?a\.|(?:\b(?:je|pro|per|im|a|für\s+jedes|every|each)\s+|\/\s*)(?:\p{L}+\s+)?(?:kalender|wirtschafts|urlaubs)?(?:jahr(?!e)(?!\s+\d{4})|year)/iu,
  ],
];
/** Periods that a text names, each once. */
export function periodsIn(text: string): Period[] {
  return WORDS.filter(([, words]) => words.test(text)).map(([period]) => period);
}
