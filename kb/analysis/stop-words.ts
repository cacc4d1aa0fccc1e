import { createRequire } from 'node:module';

import type { Language } from '../knowledge.ts';
import { fold } from './fold.ts';
import { isSlipOf } from './spelling.ts';
import { tokenize } from './tokens.ts';

const german = createRequire(import.meta.url)('stopwords-de') as readonly string[];

/** The Snowball project's English list (function words only) and contractions up to their apostrophe. */
const ENGLISH = `a about above after again against all am an and any are as at be because been before being below
between both but by can cannot could did do does doing down during each few for from further had has have having he
her here hers herself him himself his how i if in into is it its itself just me more most my myself no nor not now of
off on once only or other our ours ourselves out over own same she should so some such than that the their theirs them
themselves then there these they this those through to too under until up upon us very was we were what when where which
while who whom whose why will with would you your yours yourself yourselves
current currently need needs
aren couldn didn doesn don hadn hasn haven isn shouldn wasn weren won wouldn`;

/** In the German list, yet words of substance here: quantities, ordinals, time, nouns, and what offices abbreviate. */
const GERMAN_CONTENT =
  /^(au|ag|tage?|tagen|jahre?|jahren|zeit|teil|ende|mensch|menschen|mann|gott|mittel|morgen|ordnung|recht|startseite|satt|los|weg|weiter|tat|uhr|vergangenen|zwei|drei|vier|(fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig).*|(dritte|vierte|achte|siebente).*)$/u;

/** Not in the German list, and of no substance in what people type: spoken forms, greetings, and what every question says. */
const GERMAN_SPOKEN = `eigentlich halt grad grade gerade jetz gehts gibts hab habs kriege kriegt kriegst kriegen krieg werd wär wärs
drum dran bissl bisschen brauch brauche braucht hallo moin hey bitte danke sorry mfg kurz kurze frage passiert genau wirklich
mandant mandantin mandanten derzeit momentan zurzeit heuer wieoft wielange nen nem nix aufm komplett`;

const STOP_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  de: new Set(
    [...german.filter((word) => !GERMAN_CONTENT.test(word)), ...GERMAN_SPOKEN.split(/\s+/u)].map((word) =>
      fold(word, 'de'),
    ),
  ),
  en: new Set(ENGLISH.split(/\s+/u)),
};

/** True for a function word; `folded` is what `fold` returns. */
export function isStopWord(folded: string, lang: Language): boolean {
  return STOP_WORDS[lang].has(folded);
}

/** True for a mistyped function word (`mus`, `wan`, `trozdem`); `folded` was typed in lower case and is no known word. */
export function isMistypedStopWord(folded: string, lang: Language): boolean {
  if (folded.length < 3) return false;
  for (const word of STOP_WORDS[lang]) if (word.length > 2 && isSlipOf(folded, word)) return true;
  return false;
}

/** Language of a text by its function words; `otherwise` where neither leads. */
export function detectLanguage(text: string, otherwise: Language = 'de'): Language {
  let german = 0;
  let english = 0;
  for (const { text: word } of tokenize(text)) {
    if (STOP_WORDS.de.has(fold(word, 'de'))) german++;
    if (STOP_WORDS.en.has(word.toLowerCase())) english++;
  }
  return english === german ? otherwise : english > german ? 'en' : 'de';
}
