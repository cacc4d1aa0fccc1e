import { boundOf, type Bound } from './bound.ts';
import type { Figure } from './figures.ts';

/** What must be so for a passage's figure to hold: `nach fünf Jahren im Betrieb`, `noch nicht 16 Jahre alt`. */
export interface Condition {
  readonly figure: Figure;
  readonly bound: Exclude<Bound, 'exact'>;
  /** The words around it: what must be so long, so old, so much. */
  readonly words: string;
}

const TIME = /^(?:year|month|week|day|hour|minute|werktag|arbeitstag|kalendertag)$/u;
const AFTER = /(?:^|[^\p{L}])(?:nach|seit|ab|after)\s+(?:(?:mindestens|mehr als|vollendeten)\s+)?$/iu;
const STATE =
  /^\s*(?:lang\s+)?(?:bestanden|gedauert|beschäftigt|alt(?!\p{L})|of age|old(?!\p{L})|of service)/iu;
const CASE = /(?:^|[^\p{L}])(?:bei|mit|wenn|falls|sofern|soweit|for|if|with|where|zwischen)\s[^;]*$/iu;
const JOINED = /^\s*(?:bis(?:\s+zu)?|und|to|und nicht mehr als|–|-)\s*(?:höchstens\s+|zu\s+)?$/iu;

/** A sentence that begins with its verb: up to the first comma it says when the rest holds. */
export const VERB_FIRST =
  /^(?:\(\d\w*\)\s+)?(?:Arbeite[nt]|Beginnt|Beschäftigt|Besteh(?:t|en)|Bezieht|Bleibt|Darf|Dauert|Endet|Entsteht|Ergibt|Erhält|Erkrankt|Fällt|Fehlt|Führt|Gewährt|Haben|Hat|Ist|Kann|Kommt|Kündigt|Lässt|Leistet|Liegt|Macht|Nimmt|Nutzt|Scheidet|Schließt|Sind|Stellt|Steht|Stirbt|Trägt|Tritt|Übersteigt|Überlässt|Überschreitet|Üb(?:t|en)|Läuft|Unterbricht|Unterliegt|Unterlässt|Verzichtet|Vollendet|Entfällt|Erbringt|Befindet|Enthält|Erklärt|Gibt|Geht|Gehört|Meldet|Pflegt|Sieht|Tragen|Versäumt|Liegen|Stehen|Dauern|Übernimmt|Beantragt|Erfüllt|Erreicht|Erwirbt|Erzielt|Gilt|Hält|Nehmen|Leisten|Treten|Vereinbar(?:t|en)|Verletzt|Wohnt|Unterschreitet|Verdient|Verlangt|Verlegt|Wechselt|Weist|Werden|Widerspricht|Wird|Zahl(?:t|en)|Wer|Wenn|Falls|Sofern|Soweit|Solange|If|Where|Unless)(?!\p{L})[^,]*,/u;

/** A sentence's figures that are conditions for its others, and those that only say when something is so. */
export interface Conditions {
  readonly conditions: readonly Condition[];
  /** Limits by which something is what it is: `ein Minijob liegt vor, wenn das Entgelt 450 Euro nicht übersteigt`. */
  readonly defining: ReadonlySet<Figure>;
  /** Figures that say nothing by themselves: how long something has been so, in which cases the rest holds. */
  readonly idle: ReadonlySet<Figure>;
  /** Length of an opening with the verb first: 0 where the sentence has none. */
  readonly opening: number;
}

/** Tells a sentence's figures apart by what they are there for. */
export function conditionsOf(text: string, figures: readonly Figure[]): Conditions {
  const found: Condition[] = [];
  const opening = VERB_FIRST.exec(text)?.[0].length ?? 0;
  for (const i of figures.keys()) {
    const condition = conditionAt(text, figures, i, found.at(-1)) ?? openingAt(text, figures, i, opening);
    if (condition !== null) found.push(condition);
  }
  if (found.length < figures.length) {
    const defining = figures.filter(({ start }) => start < opening);
    return { conditions: found, defining: new Set(defining), idle: new Set(), opening };
  }
  const defining = found.filter((condition) => !isState(text, condition) && DEFINING.test(condition.words));
  const kept = new Set(defining.map(({ figure }) => figure));
  return {
    conditions: [],
    defining: kept,
    idle: new Set(figures.filter((figure) => !kept.has(figure))),
    opening,
  };
}

const DEFINING = /(?:^|[^\p{L}])(?:wenn|falls|sofern|soweit|if|where)(?!\p{L})/iu;

/** A figure in the opening that another behind it answers to. */
function openingAt(text: string, figures: readonly Figure[], i: number, opening: number): Condition | null {
  const figure = figures[i]!;
  if (figure.start >= opening || figures.every(({ start }) => start < opening)) return null;
  const bound = boundOf(text.slice(figures[i - 1]?.end ?? 0, figure.start), text.slice(figure.end, opening));
  return { figure, bound: bound === 'exact' ? 'min' : bound, words: text.slice(0, opening) };
}

/** How long something has been so: never what is asked for, also where the sentence has no other figure. */
const isState = (text: string, { figure }: Condition): boolean =>
  TIME.test(figure.unit) && (STATE.test(text.slice(figure.end)) || AFTER.test(text.slice(0, figure.start)));

function conditionAt(
  text: string,
  figures: readonly Figure[],
  i: number,
  last: Condition | undefined,
): Condition | null {
  const figure = figures[i]!;
  const from = figures[i - 1]?.end ?? 0;
  const before = text.slice(from, figure.start);
  const behind = text.slice(figure.end, figures[i + 1]?.start ?? text.length);
  const bound = boundOf(before, /^[^,;]*/u.exec(behind)![0]);
  const words = `${before} ${behind.slice(0, 40)}`;
  if (last !== undefined && last.figure === figures[i - 1] && JOINED.test(before)) {
    return { figure, bound: bound === 'exact' ? 'max' : bound, words: `${last.words} ${words}` };
  }
  if (TIME.test(figure.unit) && STATE.test(behind)) {
    return { figure, bound: bound === 'exact' ? 'min' : bound, words };
  }
  if (TIME.test(figure.unit) && AFTER.test(before)) return { figure, bound: 'min', words };
  if (bound !== 'exact' && CASE.test(before) && !/[,;]/u.test(caseOf(before)))
    return { figure, bound, words };
  return null;
}

const caseOf = (before: string): string => CASE.exec(before)?.[0] ?? '';
