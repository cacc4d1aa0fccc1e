import type { Language } from '../knowledge.ts';

const UMLAUTS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'oe',
  œ: 'oe',
};

/**
 * The form in which words are compared: lower case, accents gone, and for German the umlaut, its spelling with `e`
 * and the plain vowel all one (`Verträge`, `Vertraege` → `vertrage`), so that how a question was typed does not
 * matter. `ue` after a, e and q is no umlaut (`neue`, `Bauer`, `quer`) and stays.
 */
export function fold(word: string, lang: Language): string {
  const lower = word.normalize('NFC').toLowerCase();
  if (lang === 'en') return stripAccents(lower);
  const spelled = lower.replace(/[äöüßæøœ]/gu, (letter) => UMLAUTS[letter] ?? letter);
  return stripAccents(spelled).replace(/ae|oe|(?<![aeq])ue/gu, (pair) => pair.charAt(0));
}

function stripAccents(word: string): string {
  return isAscii(word) ? word : word.normalize('NFD').replace(/\p{M}/gu, '');
}

function isAscii(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) > 127) return false;
  return true;
}
