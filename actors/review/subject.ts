import { stem } from '../../kb/analysis/analysis.ts';
import { fold } from '../../kb/analysis/fold.ts';
import { subjectOfWork } from './restrictor.ts';
import type { Statement } from './statement.ts';

/** Words that name the same thing in a pay slip and in a statute, folded. */
const SAME: readonly (readonly string[])[] = [
  [
    'lohn',
    'gehalt',
    'entgelt',
    'arbeitsentgelt',
    'arbeitslohn',
    'verdienst',
    'vergutung',
    'wage',
    'pay',
    'salary',
    'earnings',
    'grundlohn',
  ],
  ['urlaub', 'jahresurlaub', 'erholungsurlaub', 'mindesturlaub', 'leave', 'holiday', 'vacation'],
  ['entgeltfortzahlung', 'lohnfortzahlung'],
  ['fortzahlung', 'fortgezahlt', 'fortzuzahlen'],
  ['minijob', 'geringfugig', 'minijobber', 'mini'],
  ['midijob', 'ubergangsbereich', 'gleitzone'],
  ['pause', 'ruhepause', 'break'],
  ['beitrag', 'sozialversicherungsbeitrag', 'gesamtsozialversicherungsbeitrag', 'contribution'],
  ['pauschsteuer', 'pauschalsteuer'],
  ['grundlohn', 'basic'],
  ['zuschlag', 'beitragszuschlag', 'surcharge', 'supplement'],
  ['minimum', 'mindest'],
  ['entbindung', 'geburt'],
  ['steuerfrei', 'lohnsteuerfrei'],
  ['pflegeversicherung', 'care'],
  ['krankenversicherung', 'health'],
  ['rentenversicherung', 'pension'],
  ['arbeitslosenversicherung', 'unemployment'],
];
/** What may stand before a word without making it another thing: `Grundkündigungsfrist`, `Mindestlohn`. */
const PREFIXES =
  /^(?:mindest|hochst|grund|erholungs|jahres|monats|stunden|wochen|tages|brutto|gesamt(?:sozialversicherungs)?|sozialversicherungs|arbeits|ruhe|regel|pflicht|beitrags|gesetzes|mutter|lohn)$/u;
/** What may stand behind it. */
const SUFFIXES = /^(?:s|es)?(?:wert|betrag|satz|hohe|anspruch|dauer|tage?n?|grenze|summe)s?$/u;
const MIN_PART = 4;

export interface Word {
  readonly folded: string;
  readonly stem: string;
}

export function wordsIn(text: string): Word[] {
  return [...text.matchAll(/\p{L}{2,}/gu), ...completed(text)].map(([word]) => wordOf(word));
}

const ELLIPSIS = /(\p{L}{3,})-(?=(?:,\s*\p{L}+-)*\s*(?:und|oder|sowie|bzw\.)\s+(\p{L}{6,}))/gu;
const MIN_TAIL = 5;

/** `Kranken- und Pflegeversicherung` says `Krankenversicherung`: with each rear part, since none is known to be the head. */
function* completed(text: string): Generator<[string]> {
  for (const [, front, whole] of text.matchAll(ELLIPSIS)) {
    for (let at = 1; at <= whole!.length - MIN_TAIL; at++) yield [`${front}${whole!.slice(at)}`];
  }
}

export function wordOf(word: string): Word {
  const folded = fold(word, 'de');
  return { folded, stem: stemOf(folded) };
}

const stems = new Map<string, string>();
/** Bound on what strangers' keys can fill. */
const MAX_STEMS = 100_000;

function stemOf(folded: string): string {
  let known = stems.get(folded);
  if (known === undefined) {
    if (stems.size === MAX_STEMS) stems.clear();
    known = stem(folded, 'de');
    stems.set(folded, known);
  }
  return known;
}

const CLASS_OF = new Map<string, number[]>();
for (const [i, words] of SAME.entries()) {
  for (const word of words) {
    const key = stem(word, 'de');
    CLASS_OF.set(key, [...(CLASS_OF.get(key) ?? []), i]);
  }
}

/** True where two words name one thing: the same stem, the same class, or one with a part that changes nothing. */
export function isSame(asked: Word, found: Word): boolean {
  return isEqual(asked, found) || isEqualWithin(asked, found);
}

function isEqual(a: Word, b: Word): boolean {
  if (a.stem === b.stem || a.folded === b.folded) return true;
  const classes = CLASS_OF.get(a.stem);
  return classes !== undefined && (CLASS_OF.get(b.stem)?.some((each) => classes.includes(each)) ?? false);
}

/** `Mindestlohn` for `lohn`, `Sachbezugswert` for `sachbezug`. */
const isEqualWithin = (asked: Word, found: Word): boolean =>
  coresOf(found.folded).some((core) => isEqual(asked, core));

const cores = new Map<string, readonly Word[]>();

/** A word without what changes nothing before or behind it. */
function coresOf(folded: string): readonly Word[] {
  let known = cores.get(folded);
  if (known === undefined) {
    const found: Word[] = [];
    for (let at = MIN_PART; at <= folded.length - MIN_PART; at++) {
      const [front, rear] = [folded.slice(0, at), folded.slice(at)];
      if (PREFIXES.test(front)) found.push({ folded: rear, stem: stemOf(rear) });
      if (SUFFIXES.test(rear)) found.push({ folded: front, stem: stemOf(front) });
    }
    if (cores.size === MAX_STEMS) cores.clear();
    known = found;
    cores.set(folded, known);
  }
  return known;
}

/** Where a statement speaks of a word, the nearest place first; `null` where it does not. */
export type Place = 'own' | 'before' | 'opening' | 'lead' | 'title';

/** The words of a statement by place, read once. */
export class Subject {
  readonly #own: readonly Word[];
  readonly #before: readonly Word[];
  readonly #opening: readonly Word[];
  readonly #lead: readonly Word[];
  readonly #title: readonly Word[];
  readonly #siblings: readonly Word[];

  constructor({ own, before, opening, lead, siblings, source }: Statement) {
    this.#own = wordsIn(own);
    this.#before = wordsIn(before);
    this.#opening = wordsIn(opening);
    this.#lead = wordsIn(lead);
    this.#title = wordsIn(`${withoutLists(source.title)} ${subjectOfWork(source.work)}`);
    this.#siblings = siblings.flatMap(wordsIn);
  }

  /** Where the statement says the word, whole or in its parts (`Zuschlag für Nachtarbeit` says `nachtzuschlag`). */
  placeOf(word: Word): Place | null {
    const whole = this.#find((words) => words.some((found) => isSame(word, found)), word);
    if (whole !== null) return whole;
    for (const [modifier, head] of partsOf(word)) {
      const place = this.#find((words) => words.some((found) => isSame(head, found)), head);
      if (place === null || place === 'title') continue;
      const near = this.#find((words) => words.some((found) => startsWith(found, modifier)), modifier);
      if (near !== null) return near === 'own' ? place : near;
    }
    return null;
  }

  /** True for a word of the source's title, or of what its work is about. */
  isTitle(word: Word): boolean {
    return this.#title.some((found) => isSame(word, found));
  }

  #find(says: (words: readonly Word[]) => boolean, word: Word): Place | null {
    if (says(this.#own)) return 'own';
    // `… Kinderfreibetrag von 5.460 Euro und ein Betreuungsfreibetrag von …`: of the second the first is no subject.
    if (says(this.#before) && !this.#own.some((other) => rivals(word, other))) return 'before';
    if (says(this.#opening) && !this.#own.some((other) => rivals(word, other))) return 'opening';
    // What another item of the list says for itself is not said of this one.
    if (says(this.#siblings)) return null;
    if (says(this.#lead) && !this.#own.some((other) => rivals(word, other))) return 'lead';
    return says(this.#title) && !this.#own.some((other) => rivals(word, other)) ? 'title' : null;
  }
}

/** `Verpflegung, Unterkunft und Wohnung als Sachbezug`: of which of them a sentence speaks, the title does not say. */
const withoutLists = (title: string): string =>
  title.replaceAll(
    /\p{L}+-?(?:,\s+\p{L}+-?)+(?:,?\s+(?:und|oder|sowie|and|or)\s+\p{L}+)?|\p{L}+-?\s+(?:und|oder|sowie|and|or)\s+\p{L}+/gu,
    ' ',
  );

const RIVAL_TAIL = 7;

/** Two compounds with the same head: where one stands, the other is not meant. */
function rivals(a: Word, b: Word): boolean {
  return (
    !isSame(a, b) &&
    a.stem.length > RIVAL_TAIL &&
    b.stem.length > RIVAL_TAIL &&
    a.stem.slice(-RIVAL_TAIL) === b.stem.slice(-RIVAL_TAIL)
  );
}

function startsWith(found: Word, modifier: Word): boolean {
  return found.folded.startsWith(modifier.folded) || found.stem === modifier.stem;
}

/** Every way to read a word as a modifier and a head, a linking `s`, `n`, `en`, `es` left out. */
function partsOf({ folded }: Word): [modifier: Word, head: Word][] {
  const parts: [Word, Word][] = [];
  for (let at = MIN_PART; at <= folded.length - MIN_PART; at++) {
    const front = folded.slice(0, at);
    const head = wordOf(folded.slice(at));
    parts.push([wordOf(front), head]);
    const bare = /^(.{4,}?)(?:es|en|s|n)$/u.exec(front)?.[1];
    if (bare !== undefined) parts.push([{ folded: bare, stem: bare }, head]);
  }
  return parts;
}
