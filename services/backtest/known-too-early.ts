import type { SessionData } from '../../events/messages/market.ts';
import { Correlation, followingTheirPast, nextBars, type NextBar } from './next-bars.ts';

/** A figure that strategies are shown, and that says what only the next session brings. */
export interface KnownTooEarly {
  readonly kind: 'column' | 'series';
  readonly name: string;
  /** The finding as text: `the column "mood" says what the next session brings: …`. */
  readonly told: string;
}

const FIELDS = ['open', 'high', 'low', 'close', 'volume'] as const;
/**
 * A figure is reported if it has exactly the next session's value on this share of the days, and on at least this many
 * days.
 */
const EXACT = { share: 0.9, days: 20 };
/**
 * A figure is also reported from this correlation with the next session on, if it is this many standard errors from 0.
 * An honest figure stays far below, and chance does not explain it.
 */
const FORETOLD = { correlation: 0.3, errors: 6 };

/** How well a figure foretells the next sessions. */
class Foretold {
  readonly #level = new Correlation();
  readonly #change = new Correlation();
  readonly #exact = new Map<string, { days: number; hits: number }>();

  /** `isPredictable`: an honest figure may well foretell the rises of this ticker. */
  push(
    value: number,
    before: number | undefined,
    { bar, next, rise }: NextBar,
    isPredictable: boolean,
  ): void {
    if (!isPredictable) {
      this.#level.push(value, rise);
      if (before !== undefined) this.#change.push(before > 0 ? value / before - 1 : value - before, rise);
    }
    for (const field of FIELDS) {
      // If a value of the next session equals a value of today, the figure may have been taken from today.
      if (FIELDS.some((known) => bar[known] === next[field])) continue;
      let known = this.#exact.get(field);
      if (known === undefined) this.#exact.set(field, (known = { days: 0, hits: 0 }));
      known.days += 1;
      if (value === next[field]) known.hits += 1;
    }
  }

  /** What the figure gives away; `null` if it says nothing that could not be known on the day. */
  told(): string | null {
    for (const [field, { days, hits }] of this.#exact) {
      if (days >= EXACT.days && hits >= EXACT.share * days)
        return `on ${hits} of ${days} days it is the next ${field}`;
    }
    for (const { value, count } of [this.#level, this.#change]) {
      const size = Math.abs(value);
      if (size >= FORETOLD.correlation && size * Math.sqrt(count) >= FORETOLD.errors)
        return `its correlation with the next rise is ${value.toFixed(2)} over ${count} days`;
    }
    return null;
  }
}

/** The number of last sessions that are examined: more would give the same result. */
const LOOKED_AT = 1_000;

/** Further columns of tables, and series, that say what only the session after them brings. */
export function knownTooEarly(all: readonly SessionData[]): KnownTooEarly[] {
  const sessions = all.slice(-LOOKED_AT);
  if (!sessions.some(hasFigures)) return [];
  const columns = new Map<string, Foretold>();
  // A series may be about one ticker, so each ticker is examined by itself.
  const series = new Map<string, Map<string, Foretold>>();
  const lastColumn = new Map<string, number>();
  const before = seriesBefore(sessions);
  const predictable = followingTheirPast(sessions);
  for (const each of nextBars(sessions)) {
    const { ticker, session, bar } = each;
    const isPredictable = predictable.has(ticker);
    for (const [name, value] of Object.entries(bar.columns ?? {})) {
      const of = `${ticker} ${name}`;
      entry(columns, name, () => new Foretold()).push(value, lastColumn.get(of), each, isPredictable);
      lastColumn.set(of, value);
    }
    for (const [name, { value }] of Object.entries(session.series ?? {})) {
      const of = entry(series, name, () => new Map<string, Foretold>());
      entry(of, ticker, () => new Foretold()).push(
        value,
        before.get(session)?.[name]?.value,
        each,
        isPredictable,
      );
    }
  }
  const found = (kind: KnownTooEarly['kind'], name: string, of: readonly Foretold[]): KnownTooEarly[] => {
    const told = of.map((one) => one.told()).find((one) => one !== null);
    if (told === undefined) return [];
    return [
      { kind, name, told: `the ${kind} ${JSON.stringify(name)} says what the next session brings: ${told}` },
    ];
  };
  return [
    ...[...columns].flatMap(([name, one]) => found('column', name, [one])),
    ...[...series].flatMap(([name, of]) => found('series', name, [...of.values()])),
  ];
}

const hasFigures = ({ series, bars }: SessionData): boolean =>
  series !== undefined || Object.values(bars).some(({ columns }) => columns !== undefined);

const seriesBefore = (sessions: readonly SessionData[]): ReadonlyMap<SessionData, SessionData['series']> =>
  new Map(sessions.map((session, at) => [session, sessions[at - 1]?.series]));

function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
