import { fold } from '../analysis/analysis.ts';

const LETTERS = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
/** Shorter names are part of too many other words (`Oman`, `Mali`). */
const SHORTEST = 5;

/** ISO codes of countries by their names in German and English, folded, as Unicode's CLDR has them; of one word. */
const COUNTRIES: ReadonlyMap<string, string> = namesOf('region', CODES);

/**
 * Languages that German calls by an adjective, which tells a country too (`nach französischem Recht`); German and English,
 * in which bases are written, tell none.
 */
const LANGUAGES: ReadonlyMap<string, string> = namesOf(
  'language',
  CODES.map((code) => code.toLowerCase()).filter(
    (code) =>
      !['de', 'en'].includes(code) &&
      new Intl.DisplayNames('de', { type: 'language' }).of(code)!.endsWith('isch'),
  ),
);

/** No word need be read further to see what country it begins with. */
const LONGEST = Math.max(...[...COUNTRIES.keys(), ...LANGUAGES.keys()].map(({ length }) => length));

function namesOf(type: 'region' | 'language', codes: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    (['de', 'en'] as const).flatMap((lang) => {
      const names = new Intl.DisplayNames(lang, { type, fallback: 'none' });
      return codes.flatMap((code): [string, string][] => {
        const name = names.of(code);
        return name !== undefined && /^\p{L}+$/u.test(name) && name.length >= SHORTEST
          ? [[fold(name, lang), code]]
          : [];
      });
    }),
  );
}

/** Whether a word names a country or what comes from there (`Österreich`, `österreichische`, `französisch`). */
export const namesCountry = (folded: string): boolean =>
  countryIn(folded) !== undefined || found(folded, LANGUAGES) !== undefined;

/** Code of the country that a word names or begins with (`AT`); `undefined` where there is none. */
export const countryIn = (folded: string): string | undefined => found(folded, COUNTRIES);

function found(folded: string, names: ReadonlyMap<string, string>): string | undefined {
  for (let end = SHORTEST; end <= Math.min(folded.length, LONGEST); end++) {
    const code = names.get(folded.slice(0, end));
    if (code !== undefined) return code;
  }
  return undefined;
}
