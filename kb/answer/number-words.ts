import type { Language } from '../source.ts';

/** Words with consecutive values: the first has `first`, and each further one `step` more. */
const row = (words: string, first: number, step = 1): [string, number][] =>
  words.split(' ').map((word, i) => [word, first + i * step]);

const CARDINALS: Readonly<Record<Language, ReadonlyMap<string, number>>> = {
  de: new Map([
    ...row(
      'null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn',
      0,
    ),
    ...row('sechzehn siebzehn achtzehn neunzehn', 16),
    ...row('zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert', 20, 10),
    ['zwo', 2],
    ['tausend', 1000],
  ]),
  en: new Map([
    ...row(
      'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen',
      0,
    ),
    ...row('sixteen seventeen eighteen nineteen', 16),
    ...row('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10),
  ]),
};
/** Ordinals. The German ones are listed without their ending. */
const ORDINALS: Readonly<Record<Language, ReadonlyMap<string, number>>> = {
  de: new Map(row('erst zweit dritt viert fünft sechst siebt acht neunt zehnt', 1)),
  en: new Map(row('first second third fourth fifth sixth seventh eighth ninth tenth', 1)),
};

const HUNDREDS = /^(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)?hundert(?:und)?(.*)$/u;
const THOUSANDS = /^(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)?tausend(?:und)?(.*)$/u;
const TWO_DIGITS =
  /^(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und(zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)$/u;

/**
 * The value of a number word (`sechs`, `fünfundzwanzig`, `dreihundert`, `twenty-one`, `dritten`), or `undefined`. `ein`
 * and `one` do not count, because they are mostly articles and pronouns.
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
  const ordinal = /^(.+?t)(?:e|en|er|es|em)$/u.exec(spelled)?.[1] ?? '';
  const known = ORDINALS.de.get(ordinal) ?? CARDINALS.de.get(spelled);
  if (known !== undefined) return spelled === 'ein' ? undefined : known;
  const hundreds = HUNDREDS.exec(spelled);
  if (hundreds !== null) return sum(100 * oneOf(hundreds[1]), hundreds[2]!);
  const thousands = THOUSANDS.exec(spelled);
  if (thousands !== null) return sum(1000 * oneOf(thousands[1]), thousands[2]!);
  const two = TWO_DIGITS.exec(spelled);
  return two === null ? undefined : oneOf(two[1]) + oneOf(two[2]);
}

function sum(high: number, rest: string): number | undefined {
  if (rest === '') return high;
  const low = german(rest);
  return low === undefined ? undefined : high + low;
}

const oneOf = (word = 'ein'): number => CARDINALS.de.get(word)!;

function english(word: string): number | undefined {
  if (word === 'one') return undefined;
  const known = CARDINALS.en.get(word) ?? ORDINALS.en.get(word);
  if (known !== undefined) return known;
  const [tens = '', ones = ''] = word.split('-');
  const [high = 0, low = 10] = [tens, ones].map((each) => CARDINALS.en.get(each));
  return high < 20 || low > 9 ? undefined : high + low;
}
