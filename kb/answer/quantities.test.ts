import { describe, expect, it } from 'vitest';
import type { Language } from '../source.ts';
import { quantitiesIn } from './quantities.ts';

const read = (text: string, lang: Language): string[] =>
  quantitiesIn(text, lang).map(({ value, unit }) => (unit === null ? value : `${value} ${unit}`));

describe('quantities', () => {
  it.each<[Language, string, string[]]>([
    ['de', '1.234,56 €', ['1234.56 eur']],
    ['de', '1234,56 Euro', ['1234.56 eur']],
    ['de', '58.050,00 EUR', ['58050 eur']],
    ['en', '1,234.56 dollars', ['1234.56 usd']],
    ['en', '$1,234', ['1234 usd']],
    ['de', '2,104 km', ['2.104 km']],
    ['en', '2,104 km', ['2104 km']],
    ['de', '14,6 %', ['14.6 %']],
    ['de', '14,6 vom Hundert', ['14.6 %']],
    ['de', 'sechs Wochen', ['6 week']],
    ['de', 'sechswöchige Frist', ['6 week']],
    ['de', '6-wöchige Frist', ['6 week']],
    ['de', 'fünfundzwanzig bezahlte Werktage', ['25 werktag']],
    ['de', 'dreihundertfünfundsechzig Tage', ['365 day']],
    ['de', 'am dritten Tag', ['3 day']],
    ['de', 'die 40-Stunden-Woche', ['40 hour']],
    ['de', '1,5 Mio. Euro', ['1500000 eur']],
    ['de', 'zwei Billionen', ['2000000000000']],
    ['en', 'two billion', ['2000000000']],
    ['en', 'twenty-one days', ['21 day']],
    ['de', '31.12.2021', ['2021-12-31']],
    ['de', '31. Dezember 2021', ['2021-12-31']],
    ['de', 'im Dezember 2021', ['2021-12']],
    ['de', 'bis zum 28. Februar', ['--02-28']],
    ['de', 'bis zum 28.02.', ['--02-28']],
    ['en', 'December 31, 2021', ['2021-12-31']],
    ['en', 'June 11 , 1976', ['1976-06-11']],
    ['en', '31st December 2021', ['2021-12-31']],
    ['en', 'in May 2012', ['2012-05']],
    ['de', '§ 3 Abs. 1 Satz 2 EntgFG', ['§3', 'abs1', 'satz2']],
    ['de', '§ 5 Abs 2 Z 2 ASVG', ['§5', 'abs2', 'nr2']],
    ['de', 'Artikel 12a', ['art12a']],
    ['de', 'im Jahr 2021 beträgt sie 39.480 Euro', ['2021', '39480 eur']],
    ['de', 'kein Wort, keine Zahl', []],
    ['de', 'A4 und B12', []],
  ])('%s: %s', (lang, text, expected) => {
    expect(read(text, lang)).toEqual(expected);
  });
});
