import { stemmer as stemGerman } from '@orama/stemmers/german';

/** Separable prefixes of verbs (`fort|zahlen`), the longer of two with the same beginning first. */
const SEPARABLE =
  '(?:zusammen|zuruck|wieder|weiter|nieder|gegen|hinter|unter|uber|durch|statt|teil|fest|frei|heim|fort|nach|vor|weg|auf|aus|bei|dar|ein|her|hin|los|mit|ab|an|um|zu)';
/**
 * A past participle: `gemeldet`, `fortgezahlt`. Strong participles (`genommen`) have another vowel; `STRONG` lists
 * them.
 */
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

/**
 * The stem that a German verb shares with its noun, from the third person: `meldet` → `meld`. Many other words look
 * like a third person.
 */
export function stemOfThirdPerson(folded: string): string | undefined {
  const verb = THIRD_PERSON.exec(folded)?.[1];
  return verb === undefined ? undefined : stemGerman(`${verb}en`);
}

/** The stem that a German noun shares with its verb, if the stem of the noun keeps the ending: `meldung` → `meld`. */
export function stemOfVerbalNoun(folded: string): string | undefined {
  const verb = NOUN.exec(folded)?.[1];
  return verb === undefined ? undefined : stemGerman(`${verb}en`);
}

/**
 * Verbs that change their stem: the stem of the infinitive, of the participle, and of the third person if it differs;
 * and the nouns that the verb forms with a prefix (`austreten`, `ausgetreten`, `tritt`, `Austritt`). Without umlauts.
 */
const STRONG: readonly StrongVerb[] =
  `biet boten: bot gebot|bind bunden: bindung|bitt beten: bitte|bleib blieben: bleib|brech brochen brich: bruch
brenn brannt: brand|bring bracht: bringung|erb erbt: erbe|fahr fahren: fahrt|fall fallen: fall|fang fangen: fang|find funden: fund findung|flieg flogen: flug
fliess flossen: fluss|geb geben gib: gabe|geh gangen: gang|gelt golten gilt: geltung|greif griffen: griff|halt halten: halt haltung|heb hoben: hebung
helf holfen hilf: hilfe|kenn kannt: kenntnis kennung|komm kommen: kunft|lad laden: ladung|lass lassen: lass lassung|lauf laufen: lauf|leih liehen: leihe leih
les lesen lies: lesung|lier loren: lust|mess messen miss: messung|nehm nommen nimm: nahme|nenn nannt: nennung|rat raten: rat|reiss rissen: riss
ruf rufen: ruf|scheid schieden: scheidung scheid|schieb schoben: schiebung|schlag schlagen: schlag|schliess schlossen: schluss
schneid schnitten: schnitt|schreib schrieben: schrift schreibung|seh sehen sieh: sicht|send sandt: sand sendung|setz setzt: satz setzung
sitz sessen: sitz|sprech sprochen sprich: spruch sprache|spring sprungen: sprung|steh standen: stand|steig stiegen: stieg
sterb storben stirb: sterben|streich strichen: streichung strich|trag tragen: trag tragung|treff troffen triff: treff|treib trieben: trieb
tret treten tritt: tritt|wachs wachsen: wuchs|weis wiesen: weis weisung|wend wandt: wendung wand|werb worben wirb: werbung|werf worfen wirf: wurf
zieh zogen: zug ziehung`
    .split(/[|\n]/u)
    .map((line) => {
      const [forms = '', nouns = ''] = line.split(': ');
      const [infinitive = '', participle = '', third = infinitive] = forms.split(' ');
      return { infinitive, participle, third, nouns: nouns.split(' ') };
    });

interface StrongVerb {
  readonly infinitive: string;
  readonly participle: string;
  readonly third: string;
  readonly nouns: readonly string[];
}

const anyOf = (form: Exclude<keyof StrongVerb, 'nouns'>): string =>
  STRONG.map((verb) => verb[form]).join('|');
const INSEPARABLE = '(?:be|emp|ent|er|ver|wider|zer)';
const PREFIX = `(?:${SEPARABLE}${INSEPARABLE}?|${INSEPARABLE})`;
/** A form of a verb that changes its stem: `austrete`, `anzunehmen`; `ausgetreten`; `tritt`. */
const OF_STRONG = new RegExp(
  `^(?<prefix>${PREFIX})(?:(?:zu)?(?<infinitive>${anyOf('infinitive')})(?:en|e|e?s?t)|(?:ge)?(?<participle>${anyOf('participle')})|(?<third>${anyOf('third')})(?:s?t)?)$`,
  'u',
);

/**
 * The third person or the participle of any other verb with a prefix: `erstattet`, `aufgelost`. `verdient` does not
 * match, because its infinitive has the stem of `Verdienst`.
 */
const REGULAR = new RegExp(`^(${PREFIX})(?:ge)?(\\p{L}{3,}?)(?<!en)e?t$`, 'u');

/** A verb of Latin origin: `reklamiert`, `installieren`. */
const LATIN = /^(\p{L}{3,})ier(?:en|e|s?t)$/u;

/**
 * Other forms of a German verb with a prefix, and the nouns for its action, if they have another stem: `austrete` →
 * `austreten`, `austritt`; `reklamiert` → `reklamation`. Verbs without a prefix (`läuft`, `sitzt`) are left out,
 * because they are too general.
 */
export function kinOfVerb(folded: string): string[] {
  const { prefix = '', ...forms } = OF_STRONG.exec(folded)?.groups ?? {};
  const verb = STRONG.find(
    ({ infinitive, participle, third }) =>
      infinitive === forms['infinitive'] || participle === forms['participle'] || third === forms['third'],
  );
  if (verb !== undefined) {
    const ofNoun = prefix.replace(/^zuruck/u, 'ruck');
    return [`${prefix}${verb.infinitive}en`, ...verb.nouns.map((noun) => `${ofNoun}${noun}`)];
  }
  const [, latin] = LATIN.exec(folded) ?? [];
  if (latin !== undefined) return [`${latin}ation`];
  const [, before, stem] = REGULAR.exec(folded) ?? [];
  return stem === undefined ? [] : [`${before}${stem}en`];
}

/** `lege ich ein Konto an`: a verb before its subject, with its prefix at the end of the clause. */
const APART = new RegExp(
  String.raw`(?<!\p{L})(?<verb>\p{L}{3,})(?=\s+(?:ich|wir|man|du|sie|er|es|ihr)(?!\p{L})(?<between>[^.,;:!?]{1,200}?)\s(?<prefix>${SEPARABLE.replace('zuruck', 'zurück').replace('uber', 'über')})(?:\s*(?:[.,;:!?]|$)|\s+(?:und|oder|wieder)(?!\p{L})))`,
  'giu',
);

/** The German verbs of a question whose prefix stands apart. Each has its start, and its form in one word: `anlege`. */
export function verbsApart(question: string): { readonly start: number; readonly text: string }[] {
  return [...question.matchAll(APART)].map(({ index, groups }) => ({
    start: index,
    text: `${groups!['prefix']}${groups!['verb']}`.toLowerCase(),
  }));
}
