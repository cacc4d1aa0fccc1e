import type { AccountData } from '../../actors/trading/commands.ts';
import { canonicalJson, type Json } from '../../events/json.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { placed, type StrategyFault } from '../strategies/fault.ts';
import type { StrategySource } from '../strategies/named.ts';
import type { HostedStrategy } from '../strategies/hosted.ts';
import { foresightOf } from './foresight.ts';
import { knownTooEarly, type KnownTooEarly } from './known-too-early.ts';
import { Backtest, type BacktestOptions } from './run-backtest.ts';

interface CheckOptions extends Pick<BacktestOptions, 'policy' | 'rules' | 'cash' | 'currency'> {
  readonly source: StrategySource;
  /** Opens the strategy in a new process. */
  readonly open: () => Promise<HostedStrategy>;
  readonly sessions: readonly SessionData[];
  /** The number of dates at which the data is cut off, and of those at which the process is killed. */
  readonly dates?: number;
  readonly onRun?: (done: number, all: number) => void;
}

/** The result of a check. `difference`: the first run, session and decision that differ. */
export interface CheckResult {
  readonly difference: string | null;
  /** The number of sessions with a decision. */
  readonly sessions: number;
  readonly kills: number;
}

type Decided = AccountData<'StrategyDecided'>;

interface Run {
  readonly decisions: ReadonlyMap<string, Decided>;
  readonly halted: AccountData<'StrategyHalted'> | null;
}

/** Only the last sessions are checked, at most this many; of a short table, the second half. */
const CHECKED = 500;
/** The number of scrambled sessions that are shown after a cut. */
const SCRAMBLED = 5;

/**
 * Checks that a strategy uses only what it is shown: it is run again, killed between sessions, so that it restarts with
 * its recorded state, and begun anew with scrambled data after each of twenty dates. It must decide the same each time.
 * The check also fails if the strategy uses a column or series that says what the next session brings, or decides as if
 * it knew the next session from elsewhere. Rejects with a `StrategyFault` if the strategy cannot be loaded, or if an
 * answer is late: a strategy cannot be judged by how busy the machine is.
 */
export async function checkStrategy(options: CheckOptions): Promise<CheckResult> {
  const { sessions, open, dates: count = 20, onRun = () => undefined } = options;
  // A start takes longer than most runs, so one process is begun anew for each run that needs no new one.
  let kept = await open();
  await using processes = new AsyncDisposableStack();
  processes.defer(() => kept.close());
  const { history } = kept;
  const start = Math.max(Math.min(history - 1, Math.floor(sessions.length / 2)), sessions.length - CHECKED);
  const dates = sessions.slice(start).map(({ date }) => date);
  const cuts = spread(dates.slice(1), count);
  // Also kills the process on consecutive days in the middle, because only this shows a strategy that remembers a
  // single day in memory.
  const middle = Math.floor(dates.length / 2);
  const kills = new Set([...cuts, ...dates.slice(middle, middle + count)]);
  const tooEarly = knownTooEarly(sessions);
  const all = cuts.length + tooEarly.length + 3;
  let done = 0;
  const run = async (shown: readonly SessionData[], strategy: HostedStrategy): Promise<Run> => {
    const result = await runOnce(options, shown, dates[0]!, strategy);
    onRun(++done, all);
    return result;
  };
  const result = (difference: string | null, base: Run): CheckResult => ({
    difference,
    sessions: base.decisions.size,
    kills: kills.size,
  });

  const base = await run(sessions, kept);
  if (base.halted !== null) return result(haltedAs(base.halted), base);
  const again = await inNew(open, (strategy) => run(sessions, strategy));
  const other = differenceOf(base, again, dates);
  if (other !== null) return result(`run again on the same data, ${other}`, base);
  const killed = await inNew(
    async () => killedAt(kills, open, await open()),
    (strategy) => run(sessions, strategy),
  );
  const forgot = differenceOf(base, killed, dates);
  if (forgot !== null) return result(`killed between sessions and begun anew, ${forgot}`, base);
  for (const [at, cut] of cuts.entries()) {
    const end = sessions.findIndex(({ date }) => date === cut) + 1;
    const following = sessions
      .slice(end, end + SCRAMBLED)
      .map((session, n) => scrambled(session, at * 31 + n));
    const shown = [...sessions.slice(0, end), ...following];
    const upToCut = dates.slice(0, dates.indexOf(cut) + 1);
    const cutRun = await run(shown, kept);
    const differs = differenceOf(base, cutRun, upToCut);
    if (differs !== null) {
      const anew = await inNew(open, (strategy) => runOnce(options, shown, dates[0]!, strategy));
      const ahead = differenceOf(base, anew, upToCut);
      if (ahead === null) return result(`begun again in the same process, ${differs}`, base);
      return result(`with what follows ${cut} scrambled, ${ahead}`, base);
    }
    // What it does after the cut is no fault, but ends its process.
    if (cutRun.halted !== null) {
      await kept.close();
      kept = await open();
    }
  }
  for (const figure of tooEarly) {
    const shown = sessions.map((session, at) => withoutFigure(session, figure, at));
    const without = await inNew(open, (strategy) => run(shown, strategy));
    if (differenceOf(base, without, dates) !== null)
      return result(`it decides by what comes: ${figure.told}`, base);
  }
  const foresight = foresightOf(base.decisions, sessions);
  return result(foresight === null ? null : `it decides as if it knew what comes: ${foresight}`, base);
}

/** Runs a strategy in a process of its own, which ends with the run. */
async function inNew(
  open: () => Promise<HostedStrategy>,
  run: (strategy: HostedStrategy) => Promise<Run>,
): Promise<Run> {
  const strategy = await open();
  try {
    return await run(strategy);
  } finally {
    await strategy.close();
  }
}

async function runOnce(
  { source, ...account }: CheckOptions,
  sessions: readonly SessionData[],
  from: string,
  strategy: HostedStrategy,
): Promise<Run> {
  const decisions = new Map<string, Decided>();
  let halted: Run['halted'] = null;
  let late: StrategyFault | undefined;
  const backtest = new Backtest({
    ...account,
    from,
    strategies: [{ source, strategy }],
    onFault: (_, fault) => {
      if (fault.isLate) late = fault;
    },
    onEvent: (event) => {
      if (event.type === 'StrategyDecided') decisions.set(event.data.session, event.data);
      else if (event.type === 'StrategyHalted') halted ??= event.data;
    },
  });
  for (const session of sessions) await backtest.runOwn(session);
  if (late !== undefined) throw late;
  return { decisions, halted };
}

/** A strategy whose process is restarted at each of these dates. */
function killedAt(
  dates: ReadonlySet<string>,
  open: () => Promise<HostedStrategy>,
  first: HostedStrategy,
): HostedStrategy {
  let inner = first;
  let past: SessionData[] = [];
  return {
    ...first,
    begin(shown) {
      past = [...shown];
      return inner.begin(shown);
    },
    async decide(question) {
      if (dates.has(question.session.date)) {
        await inner.close();
        inner = await open();
        await inner.begin(past);
      }
      past.push(question.session);
      return inner.decide(question);
    },
    close: () => inner.close(),
  };
}

const haltedAs = ({ session, detail, ...place }: NonNullable<Run['halted']>): string =>
  `it was halted${session === null ? '' : ` on ${session}`}: ${placed(detail, place)}`;

const PARTS = ['targets', 'orders', 'cancels', 'unmet', 'plot', 'state'] as const;

/** The first difference in the order of sessions, by name. */
function differenceOf(base: Run, other: Run, dates: readonly string[]): string | null {
  for (const date of dates) {
    const [one, two] = [base.decisions.get(date), other.decisions.get(date)];
    if (two === undefined && other.halted !== null) return haltedAs(other.halted);
    for (const part of PARTS) {
      const [before, after] = [shown(one?.[part]), shown(two?.[part])];
      if (before !== after) return `on ${date} its ${part} are ${after} and not ${before}`;
    }
  }
  return null;
}

const shown = (value: unknown): string => (value === undefined ? 'missing' : canonicalJson(value as Json));

const spread = (dates: readonly string[], count: number): string[] => [
  ...new Set(
    Array.from({ length: count }, (_, n) => dates[Math.floor(((n + 1) * dates.length) / (count + 1))]).filter(
      (date) => date !== undefined,
    ),
  ),
];

/** From 0.5 to 1.5, different for each session and for each position in it. */
const factorOf = (seed: number, at: number): number =>
  0.5 + (((seed + 1) * 7_919 + at * 104_729) % 1_000) / 1_000;

/** The session with the figure replaced by an unrelated one. */
function withoutFigure(session: SessionData, { kind, name }: KnownTooEarly, seed: number): SessionData {
  const said = session.series?.[name];
  if (kind === 'series') {
    const changed = said && { [name]: { ...said, value: (said.value + 1) * factorOf(seed, 0) } };
    return said === undefined ? session : { ...session, series: { ...session.series, ...changed } };
  }
  const bars = Object.entries(session.bars).map(([ticker, bar], at) => {
    const value = bar.columns?.[name];
    if (value === undefined) return [ticker, bar] as const;
    return [
      ticker,
      { ...bar, columns: { ...bar.columns, [name]: (value + 1) * factorOf(seed, at) } },
    ] as const;
  });
  return { ...session, bars: Object.fromEntries(bars) };
}

/** The session with unrelated prices, volumes, series and universe. */
function scrambled(session: SessionData, seed: number): SessionData {
  const series = session.series && {
    series: Object.fromEntries(
      Object.entries(session.series).map(([name, { date, value }], at) => [
        name,
        { date, value: (value + 1) * factorOf(seed, at) },
      ]),
    ),
  };
  const universe = session.universe && {
    universe: session.universe.filter((_, at) => factorOf(seed, at) < 1),
  };
  return {
    ...session,
    ...series,
    ...universe,
    bars: Object.fromEntries(
      Object.entries(session.bars).map(([ticker, bar], at) => {
        const factor = factorOf(seed, at);
        const price = Math.round(bar.close * factor * 100) / 100;
        const columns = bar.columns && {
          columns: Object.fromEntries(
            Object.entries(bar.columns).map(([name, value]) => [name, (value + 1) * factor]),
          ),
        };
        return [
          ticker,
          { open: price, high: price, low: price, close: price, volume: bar.volume + 1_000, ...columns },
        ];
      }),
    ),
  };
}
