import { fold } from '../analysis/fold.ts';

const LETTERS = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
/** Shorter names are part of too many other words (`Oman`, `Mali`). */
const SHORTEST = 5;

/** Names of countries in German and English, folded, as Unicode's CLDR has them; of one word. */
const COUNTRIES: ReadonlySet<string> = new Set(
  (['de', 'en'] as const).flatMap((lang) => {
    const names = new Intl.DisplayNames([lang], { type: 'region', fallback: 'none' });
    return CODES.flatMap((code) => names.of(code) ?? [])
      .filter((name) => /^\p{L}+$/u.test(name) && name.length >= SHORTEST)
      .map((name) => fold(name, lang));
  }),
);

/** Whether a word names a country or what comes from there (`Österreich`, `österreichische`, `Schweizer`). */
export function namesCountry(folded: string): boolean {
  for (let end = SHORTEST; end <= folded.length; end++) if (COUNTRIES.has(folded.slice(0, end))) return true;
  return false;
}
