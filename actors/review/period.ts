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
/** `je Kilometer`, `für jedes Kind`: for one of something that is no time. */
const PER_OTHER =
  /(?<!\p{L})(?:je|pro|per|für jede[nrs]?)\s+(?!.{0,24}(?:stunde|tag|woche|monat|jahr|quartal|hour|day|week|month|year|prozent|percent))\p{L}+/iu;

/** Periods that a text names, each once. */
export function periodsIn(text: string): Period[] {
  return WORDS.filter(([, words]) => words.test(text)).map(([period]) => period);
}

/** True where a text says that an amount is for one of something else than a time. */
export const isPerOther = (text: string): boolean => PER_OTHER.test(text) || /doppelwoche/iu.test(text);

/** The period in a key's word: `stundenlohn`, `monatsentgelt`, `jahresurlaub`, `pro_tag`. */
export function periodOfWord(word: string): Period | null {
  for (const [period, words] of KEY_WORDS) if (words.test(word)) return period;
  return null;
}

const KEY_WORDS: readonly (readonly [Period, RegExp])[] = [
  ['hour', /^(?:stunden?(?=lohn|satz|entgelt|verdienst|verg)|std$|stunde$|hour|stundlich)/u],
  ['day', /^(?:tag$|tages|taglich|kalendertag|arbeitstag$|werktag$|daily$|day$)/u],
  ['week', /^(?:woche$|wochen(?=arbeit|stunden|zeit)|wochentlich|weekly$|week$)/u],
  ['month', /^(?:monat$|monats|monatlich|monthly$|month$|mtl$)/u],
  ['quarter', /^(?:quartal|vierteljahr|quarter)/u],
  ['year', /^(?:jahr$|jahres(?!arbeitsentgelt)|jahrlich|yearly$|annual|year$|kalenderjahr)/u],
];
