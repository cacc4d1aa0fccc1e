import type { Language } from '../../kb/knowledge.ts';

const DE: Readonly<Record<string, number>> = {
  null: 0,
  zwei: 2,
  zwo: 2,
  drei: 3,
  vier: 4,
  fünf: 5,
  sechs: 6,
  sieben: 7,
  acht: 8,
  neun: 9,
  zehn: 10,
  elf: 11,
  zwölf: 12,
  dreizehn: 13,
  vierzehn: 14,
  fünfzehn: 15,
  sechzehn: 16,
  siebzehn: 17,
  achtzehn: 18,
  neunzehn: 19,
  zwanzig: 20,
  dreißig: 30,
  vierzig: 40,
  fünfzig: 50,
  sechzig: 60,
  siebzig: 70,
  achtzig: 80,
  neunzig: 90,
  hundert: 100,
  tausend: 1000,
};
const EN: Readonly<Record<string, number>> = {
  zero: 0,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};
/** Cardinals of which the ordinal is no plain `-te` or `-ste` (`-th`). */
const ORDINALS: Readonly<Record<Language, Readonly<Record<string, number>>>> = {
  de: { erst: 1, zweit: 2, dritt: 3, viert: 4, fünft: 5, sechst: 6, siebt: 7, acht: 8, neunt: 9, zehnt: 10 },
  en: {
    first: 1,
    second: 2,
    third: 3,
    fourth: 4,
    fifth: 5,
    sixth: 6,
    seventh: 7,
    eighth: 8,
    ninth: 9,
    tenth: 10,
  },
};
const HUNDREDS = /^(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)?hundert(?:und)?(.*)$/u;
const THOUSANDS = /^(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)?tausend(?:und)?(.*)$/u;
const TWO_DIGITS =
  /^(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und(zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)$/u;

/**
 * The value of a number word (`sechs`, `fünfundzwanzig`, `dreihundert`, `twenty-one`, `dritten`), or `undefined`.
 * `ein` and `one` are articles and pronouns too often to be taken as figures.
 */
export function numberWord(word: string, lang: Language): number | undefined {
  const lower = word.toLowerCase();
  return lang === 'de' ? german(lower) : english(lower);
}

function german(word: string): number | undefined {
  const spelled = word
    .replaceAll('fuenf', 'fünf')
    .replaceAll('zwoelf', 'zwölf')
    .replaceAll(/dreissig/gu, 'dreißig');
  const ordinal = /^(.+?t)(?:e|en|er|es|em)$/u.exec(spelled)?.[1];
  if (ordinal !== undefined && Object.hasOwn(ORDINALS.de, ordinal)) return ORDINALS.de[ordinal];
  if (Object.hasOwn(DE, spelled)) return DE[spelled];
  const hundreds = HUNDREDS.exec(spelled);
  if (hundreds !== null) return sum(100 * oneOf(hundreds[1]), hundreds[2]!);
  const thousands = THOUSANDS.exec(spelled);
  if (thousands !== null) return sum(1000 * oneOf(thousands[1]), thousands[2]!);
  const two = TWO_DIGITS.exec(spelled);
  return two === null ? undefined : oneOf(two[1]) + DE[two[2]!]!;
}

function sum(high: number, rest: string): number | undefined {
  if (rest === '') return high;
  const low = german(rest);
  return low === undefined ? undefined : high + low;
}

const oneOf = (word: string | undefined): number =>
  word === undefined || word === 'ein' ? 1 : (DE[word] ?? 1);

function english(word: string): number | undefined {
  if (Object.hasOwn(EN, word)) return EN[word];
  if (Object.hasOwn(ORDINALS.en, word)) return ORDINALS.en[word];
  const [tens, ones] = word.split('-');
  if (tens === undefined || ones === undefined) return undefined;
  const high = Object.hasOwn(EN, tens) ? EN[tens] : undefined;
  const low = ones === 'one' ? 1 : Object.hasOwn(EN, ones) ? EN[ones] : undefined;
  return high === undefined || high < 20 || low === undefined || low > 9 ? undefined : high + low;
}
