import { fold } from '../analysis/analysis.ts';

const LETTERS = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
/** Names shorter than this are part of too many other words (`Oman`, `Mali`). */
const SHORTEST = 5;

/** ISO codes of countries by their folded names in German and English, from Unicode's CLDR; only names of one word. */
const COUNTRIES: ReadonlyMap<string, string> = namesOf('region', CODES);

/**
 * Languages whose German adjective also means a country (`nach französischem Recht`), except German and English, in
 * which bases are written.
 */
const LANGUAGES: ReadonlyMap<string, string> = namesOf(
  'language',
  CODES.map((code) => code.toLowerCase()).filter(
    (code) =>
      !['de', 'en'].includes(code) &&
      new Intl.DisplayNames('de', { type: 'language' }).of(code)!.endsWith('isch'),
  ),
);

/** The length of the longest name: no more letters of a word have to be read. */
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

/** Whether a word names a country or something from it (`Österreich`, `österreichische`, `französisch`). */
export const namesCountry = (folded: string): boolean =>
  countryIn(folded) !== undefined || found(folded, LANGUAGES) !== undefined;

/** The code of the country that a word names or begins with (`AT`), else `undefined`. */
export const countryIn = (folded: string): string | undefined => found(folded, COUNTRIES);

function found(folded: string, names: ReadonlyMap<string, string>): string | undefined {
  for (let end = SHORTEST; end <= Math.min(folded.length, LONGEST); end++) {
    const code = names.get(folded.slice(0, end));
    if (code !== undefined) return code;
  }
  return undefined;
}
