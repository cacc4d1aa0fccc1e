import { stemmer as stemGerman } from '@orama/stemmers/german';

/** Separable prefixes of verbs (`fort|zahlen`), the longer of two with the same beginning first. */
const SEPARABLE =
  '(?:zusammen|zuruck|wieder|weiter|nieder|gegen|hinter|unter|uber|durch|statt|teil|fest|frei|heim|fort|nach|vor|weg|auf|aus|bei|dar|ein|her|hin|los|mit|ab|an|um|zu)';
/** A past participle: `gemeldet`, `fortgezahlt`; strong ones (`genommen`) have another vowel and are not handled. */
const PARTICIPLE = new RegExp(`^(${SEPARABLE}?)ge(\\p{L}{3,}?)e?t$`, 'u');
/** An infinitive with an inner zu: `abzufuhren`. */
const WITH_ZU = new RegExp(`^(${SEPARABLE})zu(\\p{L}{3,})en$`, 'u');
/** A third person: `meldet`, `zahlt`. */
const THIRD_PERSON = /^(\p{L}{4,}?)e?t$/u;

/** A noun for an action: `Meldung`, `Zahlungen`. */
const NOUN = /^(\p{L}{3,}?)ung(?:en|s)?$/u;

/**
 * The stem that a German verb shares with its noun, from a participle or an infinitive with zu: `fortgezahlt`,
 * `fortzuzahlen` → `fortzahl`, the stem of `Fortzahlung`. `undefined` for other forms.
 *
 * @param folded a word that was written in lower case, as `fold` returns it
 */
export function stemOfVerb(folded: string): string | undefined {
  const [, prefix, verb] = PARTICIPLE.exec(folded) ?? WITH_ZU.exec(folded) ?? [];
  return prefix === undefined || verb === undefined ? undefined : stemGerman(`${prefix}${verb}en`);
}

/** The same from the third person, which many other words resemble: `meldet` → `meld`. */
export function stemOfThirdPerson(folded: string): string | undefined {
  const verb = THIRD_PERSON.exec(folded)?.[1];
  return verb === undefined ? undefined : stemGerman(`${verb}en`);
}

/** The same from the noun, if its own stem keeps the ending: `meldung` → `meld`. */
export function stemOfVerbalNoun(folded: string): string | undefined {
  const verb = NOUN.exec(folded)?.[1];
  return verb === undefined ? undefined : stemGerman(`${verb}en`);
}

/** The stems of verbs whose noun has another one, and the nouns that they make with a prefix (`austreten`, `Austritt`). */
const NOUNS_OF_VERBS: ReadonlyMap<string, string> = new Map(
  `biet bot|brech bruch|geb gabe|geh gang|greif griff|komm kunft|nehm nahme|schliess schluss|schreib schrift|tret tritt|werf wurf|zieh zug`
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]),
);
const STRONG = new RegExp(
  `^(${SEPARABLE}|be|emp|ent|er|ver|zer)(?:zu)?(${[...NOUNS_OF_VERBS.keys()].join('|')})(?:en|e|s?t)$`,
  'u',
);

/** A verb of Latin origin: `reklamiert`, `installieren`. */
const LATIN = /^(\p{L}{3,})ier(?:en|e|s?t)$/u;

/** The noun for what a verb does, where it is formed otherwise: `austrete` → `austritt`, `reklamiert` → `reklamation`. */
export function nounOfVerb(folded: string): string | undefined {
  const [, prefix, verb] = STRONG.exec(folded) ?? [];
  if (verb !== undefined) return `${prefix}${NOUNS_OF_VERBS.get(verb)}`;
  const [, latin] = LATIN.exec(folded) ?? [];
  return latin === undefined ? undefined : `${latin}ation`;
}

/** `lege ich ein Konto an`: a verb before its subject, whose prefix ends the clause. */
const APART = new RegExp(
  String.raw`(?<!\p{L})(?<verb>\p{L}{3,})(?=\s+(?:ich|wir|man|du|sie|er|es|ihr)(?!\p{L})(?<between>[^.,;:!?]{1,200}?)\s(?<prefix>${SEPARABLE.replace('zuruck', 'zurück').replace('uber', 'über')})(?:\s*(?:[.,;:!?]|$)|\s+(?:und|oder|wieder)(?!\p{L})))`,
  'giu',
);

/** The German verbs of a question whose prefix stands apart, each with where it begins and as one word: `anlege`. */
export function verbsApart(question: string): { readonly start: number; readonly text: string }[] {
  return [...question.matchAll(APART)].map(({ index, groups }) => ({
    start: index,
    text: `${groups!['prefix']}${groups!['verb']}`.toLowerCase(),
  }));
}
