import { z } from 'zod';
import type { Source } from '../source.ts';
import { faultsOf, namesIn, parseExpression } from './expression.ts';
import { readFigure, readSpan, sentenceWith, type Figure } from './figure.ts';
import type { Quantity } from './vocabulary.ts';

/** The comparisons of a value with a rule. */
const COMPARISONS = ['exactly', 'at_least', 'at_most', 'more_than'] as const;
export type Comparison = (typeof COMPARISONS)[number];

const Text = z.string().trim().min(1);
/** A figure: its time, its text in the passage, the id of the passage, and words of the same sentence. */
const FigureEntry = z.tuple([Text, Text, Text]).rest(Text);
/** One result, or several that are all correct, each with the name of its reading. */
const Formula = z.union([Text, z.record(Text, Text)]);
/** A quote: a passage, words of its sentence, and the case in which it is shown. */
const QuoteEntry = z.union([z.tuple([Text, Text]), z.tuple([Text, Text, Text])]);
const RuleEntry = z
  .strictObject({
    judges: Text,
    for: Text.default('always'),
    when: Text.optional(),
    exactly: Formula.optional(),
    at_least: Text.optional(),
    at_most: Text.optional(),
    more_than: Text.optional(),
    /** The number of lines of which the amount may be the sum, each rounded to the cent, which sets the tolerance. */
    lines: Text.optional(),
    within: z.stringFormat('decimal', /^\d+(?:\.\d+)?$/u).optional(),
    rests_on: z.array(Text).default([]),
    /**
     * The figure with the most relevant passage, if it is not the last one of the formula; of several, the last one
     * with which the result is calculated.
     */
    decided_by: z.union([Text.transform((name) => [name]), z.array(Text).min(1)]).default([]),
    /** The most relevant sentences, if they are not the sentence of a figure. */
    quotes: z.union([QuoteEntry.transform((one) => [one]), z.array(QuoteEntry).min(1)]).default([]),
    /** Amounts that explain a result without a calculation, by their German names. */
    shows: z.record(Text, Text).default({}),
    /** Quantities of the condition that decide the case. They are shown among the facts of the calculation. */
    tells: z.array(Text).default([]),
    /** A German sentence that says what a formula cannot, with the provision. */
    says: Text.optional(),
    /** Whether the rule only limits: a value that it allows may still be wrong. */
    only_limits: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
  })
  .refine((rule) => COMPARISONS.some((comparison) => rule[comparison] !== undefined), {
    message: `needs one of ${COMPARISONS.join(', ')}`,
  });

/**
 * A case that no rule of these quantities judges, with a German sentence that says so. A name in braces is replaced by
 * its amount in the case, with the calculation.
 */
const LimitEntry = z.strictObject({ judges: z.array(Text).min(1), when: Text, says: Text });

/**
 * A German sentence that is added to a correct value in a case in which something else may be true. With `of_wrong` it
 * is also added to a wrong value, to explain it. With `readings` it is only added to these readings of a value, and
 * never to those in `except`. Names in braces are replaced as in a limit.
 */
const RemarkEntry = z.strictObject({
  judges: z.array(Text).min(1),
  when: Text,
  readings: z.array(Text).default([]),
  except: z.array(Text).default([]),
  of_wrong: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
  says: Text,
  rests_on: z.array(Text).min(1),
});
export type Remark = z.output<typeof RemarkEntry>;

/** A name in braces in the sentence of a limit or a remark. */
export const NAMED = /\{(\w+)\}/gu;

export const RulesFile = z.strictObject({
  figures: z.record(Text, z.array(FigureEntry).min(1)),
  /** Formulas that several rules use. */
  terms: z.record(Text, Text).default({}),
  rules: z.record(Text, RuleEntry),
  /** Conditions that cannot hold for one person. */
  never: z.array(Text).default([]),
  /** Cases that no rule judges. If several apply, the first one is reported. */
  limits: z.array(LimitEntry).default([]),
  /** Remarks on correct values and, with `of_wrong`, also on wrong ones. */
  remarks: z.array(RemarkEntry).default([]),
  /** Passages without a figure that rules depend on, each with words of the relevant sentence. */
  passages: z.record(Text, Text).default({}),
});
type RulesFile = z.output<typeof RulesFile>;

export interface Bound {
  readonly comparison: Comparison;
  readonly formula: string;
  /** The reading of the value for which the formula holds; `null` if there is only one. */
  readonly reading: string | null;
}

/** A rule for a quantity, with its time and its case; formulas are kept as text. */
export interface Rule {
  readonly id: string;
  readonly judges: string;
  readonly span: Figure['span'];
  readonly when: string | null;
  readonly bounds: readonly Bound[];
  /** A formula for the number of separately rounded lines in the amount. */
  readonly lines: string | null;
  /** A formula for the largest difference that counts as rounding. */
  readonly within: string | null;
  /** The ids of passages that the rule depends on besides those of its figures. */
  readonly restsOn: readonly string[];
  /** The provisions that the rule's passages are about. */
  readonly basis: readonly string[];
  /** A German sentence that says what a formula cannot. */
  readonly says: string | null;
  /** Quantities of the condition that are shown with those of the result. */
  readonly tells: readonly string[];
  /**
   * The names of the figures with the most relevant passage; of several, the last one with which the result is
   * calculated.
   */
  readonly decidedBy: readonly string[];
  /** Whether a value that the rule allows may still be wrong. */
  readonly onlyLimits: boolean;
  /** The sentence that the rule is based on, if it is not the sentence of a figure. */
  readonly passage: Figure | null;
  /** Sentences that are more relevant than those of the rule's figures, each with its case. */
  readonly quotes: readonly { readonly sentence: Figure; readonly when: string | null }[];
  /** Formulas of amounts that explain the rule's result, by name. */
  readonly shows: Readonly<Record<string, string>>;
}

export interface Rules {
  readonly figures: Readonly<Record<string, readonly Figure[]>>;
  readonly terms: Readonly<Record<string, string>>;
  readonly rules: readonly Rule[];
  readonly limits: readonly z.output<typeof LimitEntry>[];
  readonly remarks: readonly Remark[];
  /** Conditions that cannot be true: facts that together make one true contradict each other. */
  readonly never: readonly string[];
}

/**
 * Names that every formula may use besides quantities, terms, figures and choices; `none` is the value of a reading
 * that does not apply.
 */
export const BUILT_IN = new Set(['year', 'month_start', 'value', 'unknown', 'none']);

/** The names in the rules, with those of the vocabulary. */
export const namesOf = (quantities: readonly Quantity[]): string[] => [
  ...BUILT_IN,
  ...quantities.flatMap(({ key, choices }) => [key, ...Object.keys(choices ?? {})]),
];

type TellOne = (path: readonly string[], message: string) => void;
interface Tell {
  readonly fault: TellOne;
  readonly withoutSource: TellOne;
}

/**
 * The rules with their figures from the named passages. Faults are reported. A rule that depends on a missing source is
 * left out.
 */
export function rulesOf(
  file: RulesFile,
  quantities: readonly Quantity[],
  sources: ReadonlyMap<string, Source>,
  tell: Tell,
): Rules {
  const figures = figuresOf(file, sources, tell);
  const passages = passagesOf(file, sources, tell);
  const names = new Set([...namesOf(quantities), ...Object.keys(file.terms), ...Object.keys(file.figures)]);
  const read = (path: readonly string[], text: string): void => {
    for (const message of faultsOf(text, names, 'a quantity, term, figure or choice'))
      tell.fault(path, message);
  };
  for (const [name, text] of Object.entries(file.terms)) read(['terms', name], text);
  const keys = new Set(quantities.map(({ key }) => key));
  const rules = Object.entries(file.rules).map(([id, entry]): Rule => {
    const path = ['rules', id];
    const bounds = COMPARISONS.flatMap((comparison): Bound[] => {
      const formula = entry[comparison];
      if (formula === undefined) return [];
      if (typeof formula === 'string') return [{ comparison, formula, reading: null }];
      return Object.entries(formula).map(([reading, each]) => ({ comparison, formula: each, reading }));
    });
    for (const { formula } of bounds) read(path, formula);
    if (entry.when !== undefined) read(path, entry.when);
    if (entry.lines !== undefined) read(path, entry.lines);
    for (const formula of Object.values(entry.shows)) read(path, formula);
    for (const [, , when] of entry.quotes) if (when !== undefined) read(path, when);
    for (const name of entry.decided_by)
      if (!Object.hasOwn(figures, name)) tell.fault(path, `${name} is not a figure`);
    for (const key of [entry.judges, ...entry.tells])
      if (!keys.has(key)) tell.fault(path, `${key} is not a quantity`);
    for (const source of entry.rests_on)
      if (!sources.has(source)) tell.withoutSource(path, `the knowledge base has no source ${source}`);
    const span = readSpan(entry.for);
    if (span === null) tell.fault(path, `${entry.for} is not a period like 2022, 2022-03 or 2022..2023`);
    return {
      id,
      judges: entry.judges,
      span: span ?? { from: null, to: null },
      when: entry.when ?? null,
      bounds,
      lines: entry.lines ?? null,
      within: entry.within ?? null,
      restsOn: entry.rests_on,
      basis: entry.rests_on.flatMap((source) => sources.get(source)?.section ?? []),
      says: entry.says ?? null,
      tells: entry.tells,
      decidedBy: entry.decided_by,
      onlyLimits: entry.only_limits,
      shows: entry.shows,
      quotes: entry.quotes.flatMap(([source, words, when = null]) => {
        const sentence = sentenceOf([source, words], path, sources, tell);
        return sentence === null ? [] : [{ sentence, when }];
      }),
      passage: entry.rests_on.map((id) => passages.get(id)).find((each) => each !== undefined) ?? null,
    };
  });
  const restsOn = ({ when, bounds, restsOn: ids }: Rule): boolean =>
    ids.every((id) => sources.has(id)) &&
    [...bounds.map(({ formula }) => formula), ...(when === null ? [] : [when])].every(
      (formula) => !readsEmpty(formula, { figures, terms: file.terms }, new Set()),
    );
  for (const [i, formula] of file.never.entries())
    for (const message of faultsOf(formula, new Set(namesOf(quantities)), 'a quantity or a choice'))
      tell.fault(['never', String(i)], message);
  for (const name of ['limits', 'remarks'] as const)
    for (const [i, { judges, when, says }] of file[name].entries()) {
      read([name, String(i)], when);
      for (const [, named] of says.matchAll(NAMED)) read([name, String(i)], named!);
      for (const key of judges) if (!keys.has(key)) tell.fault([name, String(i)], `${key} is not a quantity`);
    }
  const remarks = file.remarks.filter(({ rests_on: ids }, i) => {
    const missing = ids.filter((id) => !sources.has(id));
    for (const id of missing)
      tell.withoutSource(['remarks', String(i)], `the knowledge base has no source ${id}`);
    return missing.length === 0;
  });
  const { terms, never, limits } = file;
  return { figures, terms, rules: rules.filter(restsOn), never, limits, remarks };
}

/** Whether a formula reads a figure without any passage, directly or through its terms. */
function readsEmpty(formula: string, base: Pick<Rules, 'figures' | 'terms'>, seen: Set<string>): boolean {
  return namesOfFormula(formula).some((name) => {
    if (seen.has(name)) return false;
    seen.add(name);
    if (Object.hasOwn(base.figures, name)) return base.figures[name]!.length === 0;
    return Object.hasOwn(base.terms, name) && readsEmpty(base.terms[name]!, base, seen);
  });
}

/** The names in a formula. A formula that cannot be read has none; the fault is reported elsewhere. */
function namesOfFormula(formula: string): string[] {
  try {
    return namesIn(parseExpression(formula));
  } catch {
    return [];
  }
}

function passagesOf(
  { passages }: RulesFile,
  sources: ReadonlyMap<string, Source>,
  tell: Tell,
): ReadonlyMap<string, Figure> {
  const found = new Map<string, Figure>();
  for (const [id, words] of Object.entries(passages)) {
    const sentence = sentenceOf([id, words], ['passages', id], sources, tell);
    if (sentence !== null) found.set(id, sentence);
  }
  return found;
}

/** The sentence of a passage that has these words. */
function sentenceOf(
  [id, words]: readonly [string, string],
  path: readonly string[],
  sources: ReadonlyMap<string, Source>,
  tell: Tell,
): Figure | null {
  const source = sources.get(id);
  const quote = source === undefined ? null : sentenceWith(words, '', source);
  if (source === undefined) tell.withoutSource(path, `the knowledge base has no source ${id}`);
  else if (quote === null) tell.fault(path, `no sentence of ${id} has “${words}”`);
  if (source === undefined || quote === null) return null;
  return { span: { from: null, to: null }, written: words, source: id, quote, section: source.section };
}

function figuresOf(file: RulesFile, sources: ReadonlyMap<string, Source>, tell: Tell): Rules['figures'] {
  return Object.fromEntries(
    Object.entries(file.figures).map(([name, entries]) => [
      name,
      entries.flatMap(([time, written, id, words = ''], i): Figure[] => {
        const path = ['figures', name, String(i)];
        const span = readSpan(time);
        const source = sources.get(id);
        if (span === null) tell.fault(path, `${time} is not a period like 2022, 2022-03 or 2022..2023`);
        if (readFigure(written) === null) tell.fault(path, `${written} is not a figure`);
        if (source === undefined) tell.withoutSource(path, `the knowledge base has no source ${id}`);
        if (span === null || source === undefined) return [];
        const quote = sentenceWith(written, words, source);
        if (quote === null) {
          tell.fault(path, `no sentence of ${id} states ${written}${words === '' ? '' : ` with “${words}”`}`);
          return [];
        }
        return [{ span, written, source: id, quote, section: source.section }];
      }),
    ]),
  );
}
