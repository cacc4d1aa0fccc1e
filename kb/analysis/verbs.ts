import { stemmer as stemGerman } from '@orama/stemmers/german';

/** Prefixes that part from their verb (`fort|zahlen`), longest first where one begins another. */
const SEPARABLE =
  '(?:zusammen|zuruck|wieder|weiter|nieder|gegen|hinter|unter|uber|durch|statt|teil|fest|frei|heim|fort|nach|vor|weg|auf|aus|bei|dar|ein|her|hin|los|mit|ab|an|um|zu)';
/** Past participle: `gemeldet`, `fortgezahlt`; strong ones (`genommen`) have another vowel and are left alone. */
const PARTICIPLE = new RegExp(`^(${SEPARABLE}?)ge(\\p{L}{3,}?)e?t$`, 'u');
/** Infinitive with zu inside: `abzufuhren`. */
const WITH_ZU = new RegExp(`^(${SEPARABLE})zu(\\p{L}{3,})en$`, 'u');
/** Third person: `meldet`, `zahlt`. */
const THIRD_PERSON = /^(\p{L}{4,}?)e?t$/u;

/** What is done: `Meldung`, `Zahlungen`. */
const NOUN = /^(\p{L}{3,}?)ung(?:en|s)?$/u;

/**
 * The stem that a German verb shares with its noun, from a participle or an infinitive with zu: `fortgezahlt`,
 * `fortzuzahlen` → `fortzahl`, the stem of `Fortzahlung`. `undefined` for what is no such form.
 *
 * @param folded a word that was written in lower case, as `fold` returns it
 */
export function stemOfVerb(folded: string): string | undefined {
  const [, prefix, verb] = PARTICIPLE.exec(folded) ?? WITH_ZU.exec(folded) ?? [];
  return prefix === undefined || verb === undefined ? undefined : stemGerman(`${prefix}${verb}en`);
}

/** The same from the third person, which many another word looks like: `meldet` → `meld`. */
export function stemOfThirdPerson(folded: string): string | undefined {
  const verb = THIRD_PERSON.exec(folded)?.[1];
  return verb === undefined ? undefined : stemGerman(`${verb}en`);
}

/** The same for the noun itself, where its own stem keeps the ending: `meldung` → `meld`. */
export function stemOfVerbalNoun(folded: string): string | undefined {
  const verb = NOUN.exec(folded)?.[1];
  return verb === undefined ? undefined : stemGerman(`${verb}en`);
}
