import { isEqual } from '../../../kb/review/expression.ts';
import { covers, type Figure } from '../../../kb/review/figure.ts';
import type { Judged } from '../../../kb/review/outcome.ts';
import { format, rational } from '../../../kb/review/rational.ts';
import type { ReviewBase } from '../../../kb/review/review-base.ts';
import type { Rule } from '../../../kb/review/rules.ts';
import { sayLines } from './line-list.ts';
import { PLANS } from '../../../kb/review/wage-tax.ts';

/** A change of law between two runs that explains changes in the slips. */
export interface ChangedLaw {
  /** `changed`: the law has changed. `kept`: a new year has kept it. `unknown`: the base has nothing after it. */
  readonly kind: 'changed' | 'kept' | 'unknown';
  readonly text: string;
  readonly source: string;
  /** The judgements of the values that this law decides, in either run. */
  readonly decides: ReadonlySet<Judged>;
}

export interface ComparedRuns {
  /** The months of the runs, `YYYY-MM`; `null` if they have none. */
  readonly now: string | null;
  readonly before: string | null;
  /** The judgements of each run. */
  readonly judgedNow: readonly Judged[];
  readonly judgedBefore: readonly Judged[];
  /** The keys of the values that this run warns of. */
  readonly warnedOf: ReadonlySet<string>;
  /** The rows in which a value with one of these keys is unchanged since the earlier run. */
  readonly unchangedOf: (keys: ReadonlySet<string>) => readonly number[];
}

/** The changes of law that decided a value in one of the runs: figures, rules and the tariff of wage tax. */
export function changedLaw(
  runs: ComparedRuns,
  base: ReviewBase,
  nameOf: (key: string) => string,
): ChangedLaw[] {
  const { now, before } = runs;
  if (now === null || before === null || now === before) return [];
  const of = { ...runs, now, before, nameOf, base };
  const changes = [...changedFigures(of), ...changedRules(of), ...changedTariff(of), ...ended(of)];
  return [...new Map(changes.map((change) => [change.text, change])).values()];
}

type Of = ComparedRuns & {
  readonly now: string;
  readonly before: string;
  readonly base: ReviewBase;
  readonly nameOf: (key: string) => string;
};

const namesOf = (judged: readonly Judged[], nameOf: (key: string) => string): string =>
  [...new Set(judged.map(({ fact }) => nameOf(fact.key)))].join(', ');

const keysOf = (judged: readonly Judged[]): ReadonlySet<string> =>
  new Set(judged.map(({ fact }) => fact.key));

/** Whether the law gives the value exactly, and not only a limit for it. */
function isDecided({ isCompared, bound: { comparison, value }, fact, holds }: Judged): boolean {
  if (isCompared) return false;
  const isAtBound = fact.value !== null && isEqual(fact.value, value) === true;
  return comparison === 'exactly' || !holds || isAtBound;
}

function changedFigures({ now, before, judgedNow, judgedBefore, base, nameOf }: Of): ChangedLaw[] {
  const users = new Map<Figure, Judged[]>();
  for (const judged of [...judgedNow, ...judgedBefore].filter(isDecided))
    for (const figure of judged.figures) users.set(figure, [...(users.get(figure) ?? []), judged]);
  return Object.values(base.figures).flatMap((figures) => {
    const using = figures.flatMap((figure) => users.get(figure) ?? []);
    const is = figureAt(figures, now);
    const was = figureAt(figures, before);
    if (using.length === 0 || is === undefined || was === undefined) return [];
    if (is.written === was.written) return keptFigure(is, was, namesOf(using, nameOf));
    const text = `${namesOf(using, nameOf)}: ${asNamed(is)} statt ${asNamed(was)}. ${is.quote}`;
    return [{ kind: 'changed', text, source: is.source, decides: new Set(using) }];
  });
}

/**
 * An amount that a new year has kept, such as a ceiling. It is listed so that nobody searches for it among the changes.
 * It explains no change of a value.
 */
function keptFigure(is: Figure, was: Figure, names: string): ChangedLaw[] {
  if (is.source === was.source || !is.written.endsWith('Euro')) return [];
  const text = `${names}: unverändert ${is.written}. ${is.quote}`;
  return [{ kind: 'kept', text, source: is.source, decides: new Set() }];
}

/** The figure as it is named: a passage may have it in the dative (`von 0,35 Beitragssatzpunkten`). */
const asNamed = ({ written }: Figure): string => written.replace(/(?<=punkt|tag|monat|verdienst)en$/u, 'e');

/** The sentence that states a rule. */
const saidOf = ({ rule, figures }: Judged): Figure | undefined =>
  rule.quotes.at(-1)?.sentence ?? rule.passage ?? figures.at(-1);

/** Rules that began after the earlier run and replaced a rule of that time. */
function changedRules({ before, judgedNow, base, nameOf }: Of): ChangedLaw[] {
  const replaces = ({ judges, span: { from } }: Rule): boolean =>
    from !== null &&
    from > before &&
    base.rules.some(
      ({ judges: same, span: { to } }) => same === judges && to !== null && to >= before && to < from,
    );
  const found = judgedNow.filter(({ rule }) => replaces(rule));
  return [...Map.groupBy(found, (judged) => saidOf(judged)?.quote)].flatMap(([quote, using]) => {
    const said = saidOf(using[0]!);
    if (quote === undefined || said === undefined) return [];
    const text = `${namesOf(using, nameOf)}: Es gilt eine andere Regel. ${quote}`;
    return [{ kind: 'changed', text, source: said.source, decides: new Set(using) }];
  });
}

/**
 * Law of the earlier run that has ended, and after which the base has none. Values that it decided are not judged by
 * anything now, and nobody should take them for right because nothing is reported.
 */
function ended({
  now,
  before,
  judgedNow,
  judgedBefore,
  warnedOf,
  base,
  nameOf,
  unchangedOf,
}: Of): ChangedLaw[] {
  const judgedKeys = keysOf(judgedNow).union(warnedOf);
  const families = Object.values(base.figures);
  const endOf = ({ rule, figures }: Judged): string | null => {
    const gone = figures.filter((figure) => {
      const family = families.find((each) => each.includes(figure));
      return family !== undefined && figureAt(family, now) === undefined;
    });
    const ends = [...gone.map(({ span }) => span.to), ...(isReplaced(rule, now, base) ? [] : [rule.span.to])];
    const within = ends.flatMap((end) => (end !== null && end >= before && end < now ? [end] : []));
    return within.toSorted()[0] ?? null;
  };
  const without = judgedBefore.filter((judged) => endOf(judged) !== null && !judgedKeys.has(judged.fact.key));
  return [...Map.groupBy(without, endOf)].flatMap(([end, using]) => {
    if (end === null) return [];
    const names = namesOf(using, nameOf);
    return [
      {
        kind: 'unknown',
        text: `Recht geändert oder ausgelaufen zum ${dayAfter(end)}, neue Regel nicht bekannt: ${names}. Diese Angaben sind nicht geprüft${sayUnchanged(unchangedOf(keysOf(using)))}.`,
        source: '',
        decides: new Set(using),
      },
    ];
  });
}

const sayUnchanged = (lines: readonly number[]): string =>
  lines.length === 0 ? '' : `; unverändert gegenüber dem Vormonat in ${sayLines(lines)}`;

/** Whether another rule follows a rule that ended. */
const isReplaced = ({ judges, span: { to } }: Rule, month: string, base: ReviewBase): boolean =>
  to !== null &&
  base.rules.some(
    ({ judges: same, span }) =>
      same === judges && span.from !== null && span.from > to && covers(span, { from: month, to: month }),
  );

/** The first day after a month. @example dayAfter('2022-09') // '1.10.2022' */
function dayAfter(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return number === 12 ? `1.1.${year + 1}` : `1.${number + 1}.${year}`;
}

/**
 * A change of the wage tax tariff. The earlier run may have no tariff: in December the tax may be settled for the whole
 * year, which is not calculated here.
 */
function changedTariff({ now, before, judgedNow, nameOf }: Of): ChangedLaw[] {
  const taxed = judgedNow.filter(({ taxYear }) => taxYear !== null);
  const [first] = taxed;
  const [year, yearBefore] = [now.slice(0, 4), before.slice(0, 4)];
  const plan = PLANS[yearBefore];
  if (first === undefined || plan === undefined || year === yearBefore) return [];
  const [is, was] = [first.taxYear!.free, rational(BigInt(plan.free))].map((free) => format(free, 0, 'de'));
  const text = `${namesOf(taxed, nameOf)}: Tarif ${year} statt ${yearBefore}, Grundfreibetrag ${is} € statt ${was} € (§ 32a EStG).`;
  return [{ kind: 'changed', text, source: first.rule.restsOn[0] ?? '', decides: new Set(taxed) }];
}

const figureAt = (figures: readonly Figure[], month: string): Figure | undefined =>
  figures.find(({ span }) => covers(span, { from: month, to: month }));
