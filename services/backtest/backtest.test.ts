import { describe, expect, it } from 'vitest';
import type { Strategy, TargetWeight } from '../../actors/strategy/strategy.ts';
import { stateHash } from '../../actors/trading/snapshot.ts';
import type { AccountDraft } from '../../actors/trading/commands.ts';
import { evolve } from '../../actors/trading/evolve.ts';
import { initialState } from '../../actors/trading/state.ts';
import { moneyNumber } from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { readSettings } from '../composition/settings.ts';
import { rhythmOf } from '../market/rhythm.ts';
import { Benchmarks } from './benchmark.ts';
import { parametersOf } from './parameters.ts';
import { comparedFigures, figuresOf, verdictsOf } from './figures.ts';
import { VERSION } from '../foundation/version.ts';
import { renderReport as render } from './html-report.ts';
import { foldNotes, inOneLine, notesOf } from './notes.ts';
import { summaryJson } from './result-json.ts';
import { Backtest, type BacktestOptions } from './run-backtest.ts';
import { summarise, type BacktestSummary } from './summary.ts';
import { TradeJournal } from './trades.ts';

const day = (
  date: string,
  price: number,
  more: Partial<Pick<SessionData, 'splits' | 'dividends'>> = {},
): SessionData => ({
  date,
  bars: { ACME: { open: price, high: price + 1, low: price - 1, close: price, volume: 1_000_000 } },
  splits: {},
  dividends: {},
  ...more,
});

/** A session in which ACME does not trade. */
const without = (date: string, gone?: Record<string, string>): SessionData => ({
  date,
  bars: { OTHER: { open: 1, high: 1, low: 1, close: 1, volume: 1 } },
  splits: {},
  dividends: {},
  ...(gone === undefined ? {} : { gone }),
});

/** Returns these targets on these days. */
function scripted(says: Readonly<Record<number, readonly TargetWeight[]>>) {
  const seen: string[] = [];
  let session = 0;
  const strategy: Strategy = {
    name: 'scripted',
    parameters: {},
    warmUp: 0,
    usesPredictions: false,
    resume: () => undefined,
    onSplit: (ticker, factor) => seen.push(`${ticker} x ${factor}`),
    onSession: (bars, view) => {
      seen.push(`${session} ${Object.keys(bars).length} ${view === null ? 'watches' : view.totalValue}`);
      return says[session++] ?? [];
    },
  };
  return { strategy, seen };
}

function test(sessions: readonly SessionData[], options: Partial<BacktestOptions> & { strategy: Strategy }) {
  const { trading } = readSettings({ TD_FEES: 'per-order:1', TD_SLIPPAGE_BPS: '0', TD_CASH: '10000' });
  const events: AccountDraft[] = [];
  const journal = new TradeJournal('fifo');
  const backtest = new Backtest({
    ...trading,
    from: null,
    ...options,
    onEvent: (event) => {
      events.push(event);
      journal.take(event);
    },
  });
  for (const session of sessions) backtest.run(session);
  return { backtest, events, journal };
}

const ALL_IN: TargetWeight[] = [{ ticker: 'ACME', weight: 0.5 }];
const ABOUT = {
  strategy: 'scripted',
  parameters: parametersOf({ ...readSettings({}).trading, strategy: { parameters: {} } }),
  source: 'test',
  synthetic: true,
  tickers: ['ACME'],
  notes: [],
  earlierNotes: [],
  benchmarks: [],
  rhythm: rhythmOf([]),
  model: null,
  data: 'ab12',
  command: 'npx beleg backtest',
};
const renderReport = (summary: BacktestSummary): string =>
  render(summary, { sessions: [], made: '2026-01-01' });
const OUT: TargetWeight[] = [{ ticker: 'ACME', weight: 0 }];

describe('a backtest', () => {
  it('fills on the next session what a session decided, with fees', () => {
    const { strategy } = scripted({ 0: ALL_IN, 1: OUT });
    const { backtest, journal } = test(
      [day('2020-01-02', 100), day('2020-01-03', 110), day('2020-01-06', 120)],
      { strategy },
    );
    expect(
      journal.fills.map(({ session, action, quantity, price }) => [session, action, quantity, price]),
    ).toEqual([
      ['2020-01-03', 'buy', '50', '110'],
      ['2020-01-06', 'sell', '50', '120'],
    ]);
    expect(backtest.history.equity.map(({ value }) => value)).toEqual([10_000, 10_000, 9_999, 10_498]);
    expect(moneyNumber(backtest.account.cash)).toBe(10_498);
    expect(journal.trades).toMatchObject([{ opened: '2020-01-03', closed: '2020-01-06' }]);
  });

  it('never spends more than there is, however far the price jumps until the fill, and says so', () => {
    const { strategy } = scripted({ 0: [{ ticker: 'ACME', weight: 0.9 }] });
    const { backtest, journal } = test([day('2020-01-02', 100), day('2020-01-03', 160)], { strategy });
    expect(journal.fills.map(({ quantity, price }) => [quantity, price])).toEqual([['62', '160']]);
    expect(moneyNumber(backtest.account.cash)).toBe(79);
    const missing =
      'INSUFFICIENT_FUNDS: 90 at 160 with a fee of 1 cost 14401, 4401 more than the 10000 that could be paid';
    const summary = summarise(backtest, ABOUT);
    expect(summary.orders).toMatchObject([
      { status: 'cancelled', filled_quantity: 62, reject_reason: missing },
    ]);
    expect(notesOf(summary)).toContain(
      'NOT PAID: 1 of 1 orders were cut or rejected when they were to be filled, because they cost more than there was; ' +
        `the first is of 2020-01-02: buy 90 ACME, 62 filled (${missing}).`,
    );
  });

  it('warms the strategy up before it trades', () => {
    const { strategy, seen } = scripted({ 0: ALL_IN, 1: ALL_IN });
    const { backtest, journal } = test(
      [day('2020-01-02', 100), day('2020-01-03', 110), day('2020-01-06', 120)],
      { strategy, from: '2020-01-03' },
    );
    expect(seen).toEqual(['0 1 watches', '1 1 10000', '2 1 9999']);
    expect(journal.fills).toHaveLength(1);
    expect(backtest.history.equity.map(({ session }) => session)).toEqual([
      '2020-01-03',
      '2020-01-03',
      '2020-01-06',
    ]);
  });

  it('takes splits and dividends as they come', () => {
    const { strategy, seen } = scripted({ 0: ALL_IN, 3: OUT });
    const { backtest, journal } = test(
      [
        day('2020-01-02', 100),
        day('2020-01-03', 100),
        day('2020-01-06', 50, { splits: { ACME: '2/1' } }),
        day('2020-01-07', 50, { dividends: { ACME: 0.5 } }),
        day('2020-01-08', 50),
      ],
      { strategy },
    );
    expect(seen).toContain('ACME x 0.5');
    expect(backtest.history.equity.map(({ value }) => value)).toEqual([
      10_000, 10_000, 9_999, 9_999, 10_049, 10_048,
    ]);
    expect(journal.trades).toHaveLength(1);
    expect(moneyNumber(journal.trades[0]!.pnl)).toBe(0);
    const summary = summarise(backtest, ABOUT);
    expect(summary).toMatchObject({ realized: -2, dividends: 50, unrealized: 0, final: 10_048 });
    expect(summary.costs).toMatchObject({ fees: 2, borrowing: 0 });
    expect(summary.byTicker).toMatchObject([
      { ticker: 'ACME', total: 48, dividends: 50, fees: 2, trades: 1 },
    ]);
    expect(summary.dividendsPaid).toEqual([
      { ticker: 'ACME', session: '2020-01-07', per_share: 0.5, quantity: 100, amount: 50 },
    ]);
    const json = summaryJson(summary);
    expect(json.equity.map(({ session }) => session)).toEqual(
      json.equity.map(({ session }) => session).sort(),
    );
    expect(new Set(json.equity.map(({ session }) => session)).size).toBe(json.sessions);
    const text = JSON.stringify(json);
    for (const first of ['notes', 'halts', 'settlements', 'marginCalls', 'dividendsPaid']) {
      expect(text.indexOf(`"${first}"`)).toBeLessThan(text.indexOf('"orders":['));
      expect(text.indexOf(`"${first}"`)).toBeLessThan(text.indexOf('"benchmarks":['));
    }
    expect(figuresOf(summary)).toContainEqual(['Dividends', '50.00 USD']);
  });

  it('cancels what a halt cancels, trades no more in that session, and does again in the next', () => {
    const { policy } = readSettings({ TD_MAX_DAILY_LOSS_PERCENT: '1' }).trading;
    const { strategy, seen } = scripted({ 0: ALL_IN, 2: OUT });
    const { backtest, journal } = test(
      [day('2020-01-02', 100), day('2020-01-03', 100), day('2020-01-06', 50)],
      {
        strategy,
        policy,
      },
    );
    expect(backtest.account.engine).toBe('halted');
    expect(seen.at(-1)).toMatch(/watches/);
    expect(backtest.account.open.size).toBe(0);
    backtest.run(day('2020-01-07', 50));
    expect(seen.at(-1)).not.toMatch(/watches/);
    expect(journal.halts).toEqual([
      {
        session: '2020-01-06',
        reason: 'daily_loss',
        detail: '2500 lost since the last close, of 9999',
        resumed: '2020-01-07',
      },
    ]);
    const summary = summarise(backtest, ABOUT);
    expect(summary).toMatchObject({ halts: journal.halts, haltedSessions: 1 });
    for (const text of [notesOf(summary).join('\n'), renderReport(summary)]) {
      expect(text).toContain('HALTED once: in 1 of 4 sessions no position could be opened');
      expect(text).toContain('2020-01-06, until 2020-01-07: daily loss');
    }
    expect(figuresOf(summary)).toContainEqual(['Halted', 'in 1 of 4 sessions']);
  });

  it('buys a short position back on a margin call, and says so', () => {
    const { policy } = readSettings({ TD_SHORTING: 'true', TD_BORROW_PERCENT: '3.6' }).trading;
    const { strategy } = scripted({ 0: [{ ticker: 'ACME', weight: -0.5 }] });
    const sessions = [
      day('2020-01-02', 100),
      day('2020-01-03', 100),
      day('2020-01-06', 250),
      day('2020-01-07', 260),
    ];
    const { backtest } = test(sessions, { strategy, policy });
    // 50 shares sold at 100, 3.6 % on 5,000 for 3 days and on 12,500 for one, bought back at 260, with two fees of 1.
    expect(moneyNumber(backtest.account.cash)).toBe(10_000 + 5_000 - 1.5 - 1.25 - 13_000 - 2);
    const summary = summarise(backtest, ABOUT);
    expect(summary).toMatchObject({
      positions: {},
      costs: { borrowing: 2.75 },
      byTicker: [{ ticker: 'ACME', total: -8_004.75 }],
      realized: -8_002,
      marginCalls: [{ session: '2020-01-06', value: 2497.5, required: 3750 }],
    });
    expect(notesOf(summary)).toEqual([
      'MARGIN CALL on 2020-01-06: the account was worth 2,497.50, but short positions required 3,750.00; they were bought back.',
    ]);
  });

  it('settles what no longer trades, and says so, and what is stale at the end', () => {
    const { strategy } = scripted({ 0: ALL_IN });
    const sessions = [day('2020-01-02', 100), day('2020-01-03', 110), without('2020-01-06')];
    const stale = test(sessions, { strategy });
    expect(notesOf(summarise(stale.backtest, ABOUT))).toEqual([
      'STALE at the end, 2020-01-06: 50 ACME valued at its last price 110 (2020-01-03).',
    ]);
    const again = scripted({ 0: ALL_IN }).strategy;
    const gone = without('2020-01-07', { ACME: '2020-01-03' });
    const { backtest } = test([...sessions, gone], { strategy: again });
    const summary = summarise(backtest, ABOUT);
    expect(notesOf(summary)).toEqual([
      'SETTLED on 2020-01-07: ACME no longer trades. 50 closed at its last price 110 (2020-01-03). The data does not say what holders really received.',
    ]);
    expect(summary).toMatchObject({
      positions: {},
      settlements: [{ ticker: 'ACME', quantity: 50, price: 110, amount: 5500 }],
      trades: { closed: 1, open: 0, list: [{ closed_by: 'settlement' }] },
      final: 9_999,
    });
  });

  it('is the fold of its events, and the same every time', () => {
    const sessions = [100, 103.37, 99.11, 105, 87.5].map((price, n) => day(`2020-01-0${n + 2}`, price));
    const [first, second] = [1, 2].map(() => test(sessions, scripted({ 0: ALL_IN, 2: OUT, 3: ALL_IN }))) as [
      ReturnType<typeof test>,
      ReturnType<typeof test>,
    ];
    expect(second.events).toEqual(first.events);
    expect(stateHash(first.events.reduce(evolve, initialState()))).toBe(stateHash(first.backtest.account));
  });
});

const onlyIndex = (session: SessionData) => ({ ...session, bars: { SPY: session.bars['SPY']! } });

const flat = (price: number) => ({
  open: price,
  high: price,
  low: price,
  close: price,
  volume: 1_000_000,
});

describe('buying and holding beside it', () => {
  it('is tested over the same sessions with the same fees, all tickers and the index alone', () => {
    const { trading } = readSettings({ TD_FEES: 'per-order:1', TD_SLIPPAGE_BPS: '0', TD_CASH: '10000' });
    const market = [100, 100, 50, 120].map((price, at) => {
      const one = day(`2020-01-0${at + 2}`, price);
      return {
        ...one,
        bars: { ...one.bars, SPY: { ...one.bars['ACME']!, open: 10, high: 10, low: 10, close: 10 } },
      };
    });
    const compared = { tickers: ['ACME', 'SPY'], index: 'SPY', rhythm: rhythmOf([]), sessions: market };
    const indexSessions = market.map(onlyIndex);
    const benchmarks = new Benchmarks({ ...trading, from: null }, { ...compared, indexSessions });
    for (const session of market) benchmarks.run(session, onlyIndex(session));
    const { results } = benchmarks;
    // 45 shares at 100 gain 20 each, 450 at 10 gain nothing; the fee is 1 for each order.
    expect(results.map(({ name, final }) => [name, final])).toEqual([
      ['Hold all equally, 90 % invested', 10_000 + 45 * 20 - 2],
      ['Hold SPY, 90 % invested', 10_000 - 1],
    ]);
    const run = test(market, scripted({}));
    const summary = summarise(run.backtest, { ...ABOUT, benchmarks: results });
    expect(verdictsOf(summary)).toEqual([
      '“Hold all equally, 90 % invested” beat scripted: 8.98 % against 0.00 %.',
      'scripted beat “Hold SPY, 90 % invested”: 0.00 % against -0.01 %.',
    ]);
    expect(comparedFigures(summary)[0]).toEqual({
      name: 'Total return',
      strategy: '0.00 %',
      benchmarks: [
        { value: '8.98 %', difference: '-8.98 %' },
        { value: '-0.01 %', difference: '+0.01 %' },
      ],
    });
    expect(summary.byYear).toMatchObject([{ year: '2020', total: 0 }]);
    expect(renderReport(summary)).toContain('Hold SPY, 90 % invested');
    expect(summary.benchmarks[1]!.equity).toHaveLength(market.length + 1);
  });

  it('holds each of its tickers, whichever of them trades first', () => {
    const { trading } = readSettings({ TD_FEES: 'none', TD_SLIPPAGE_BPS: '0', TD_CASH: '10000' });
    const bar = { open: 10, high: 10, low: 10, close: 10, volume: 1_000_000 };
    // From a Saturday on: a coin trades each day, a share does not trade on weekends.
    const sessions = Array.from({ length: 7 }, (_, at): SessionData => ({
      date: `2022-01-0${at + 1}`,
      bars: at < 2 ? { COIN: bar } : { COIN: bar, SHARE: bar },
      splits: {},
      dividends: {},
    }));
    const compared = {
      tickers: ['COIN', 'SHARE'],
      index: '',
      rhythm: rhythmOf([]),
      sessions,
      indexSessions: sessions,
    };
    const benchmarks = new Benchmarks({ ...trading, from: null }, compared);
    for (const session of sessions) benchmarks.run(session, { ...session, bars: {} });
    expect(benchmarks.results[0]!.notes).toEqual([]);
    expect(benchmarks.results[0]!.final).toBe(10_000);
  });

  it('holds of a universe what could be bought on its first day of the test', () => {
    const { trading } = readSettings({ TD_FEES: 'none', TD_SLIPPAGE_BPS: '0', TD_CASH: '10000' });
    const sessions = [10, 10, 10, 5].map((price, at): SessionData => ({
      date: `2022-01-0${at + 3}`,
      bars: { GONE: flat(price), LATE: flat(20 - price), STAYS: flat(10) },
      splits: {},
      dividends: {},
      universe: at === 0 ? ['LATE'] : at === 1 ? ['GONE', 'STAYS'] : ['LATE', 'STAYS'],
    }));
    const indexSessions = sessions.map((session) => ({ ...session, bars: { STAYS: flat(10) } }));
    const tickers = ['GONE', 'LATE', 'STAYS'];
    const compared = { tickers, index: 'STAYS', rhythm: rhythmOf([]), sessions, indexSessions };
    const benchmarks = new Benchmarks({ ...trading, from: '2022-01-04' }, compared);
    for (const [at, session] of sessions.entries()) benchmarks.run(session, indexSessions[at]!);
    expect(benchmarks.results).toMatchObject([
      {
        name: 'Hold the first universe equally, 90 % invested',
        final: 10_000 - 450 * 5,
        notes: [
          'Hold the first universe equally, 90 % invested: left out 1 that universe.csv does not have on 2022-01-04.',
        ],
      },
      { name: 'Hold STAYS, 90 % invested', final: 10_000, notes: [] },
    ]);
  });

  it('says what was settled, left out, or not fully bought, and when', () => {
    const { trading } = readSettings({
      TD_SLIPPAGE_BPS: '0',
      TD_CASH: '10000',
      TD_VOLUME_LIMIT_PERCENT: '10',
    });
    const other = { open: 10, high: 10, low: 10, close: 10, volume: 2_000 };
    const market: SessionData[] = [
      { ...day('2020-01-02', 100), bars: { ...day('2020-01-02', 100).bars, OTHER: other } },
      { ...day('2020-01-03', 100), bars: { ...day('2020-01-03', 100).bars, OTHER: other } },
      { ...without('2020-01-06'), bars: { OTHER: other } },
      { ...without('2020-02-07', { ACME: '2020-01-03' }), bars: { OTHER: other, LATE: other } },
    ];
    const tickers = ['ACME', 'OTHER', 'LATE', 'NEVER'];
    const indexSessions = market.map((session) => ({ ...session, bars: {} }));
    const compared = { tickers, index: 'SPY', rhythm: rhythmOf([]), sessions: market, indexSessions };
    const benchmarks = new Benchmarks({ ...trading, from: null }, compared);
    for (const [at, session] of market.entries()) benchmarks.run(session, indexSessions[at]!);
    const run = test(market, scripted({}));
    const summary = summarise(run.backtest, { ...ABOUT, benchmarks: benchmarks.results });
    expect(notesOf(summary)).toEqual(
      [
        'left out LATE: its first bar is on 2020-02-07.',
        'left out NEVER: its first bar is on no day.',
        'fully bought OTHER only on 2020-01-06.',
        'settled ACME on 2020-02-07 at its last price (2020-01-03), and kept the cash from then on.',
      ].map((note) => `Hold all equally, 90 % invested: ${note}`),
    );
    for (const note of notesOf(summary)) expect(renderReport(summary)).toContain(note);
  });
});

describe('its report', () => {
  const { strategy } = scripted({ 0: ALL_IN, 1: OUT });
  const { backtest } = test([day('2020-01-02', 100), day('2020-01-03', 90), day('2020-01-06', 120)], {
    strategy,
  });
  const summary = summarise(backtest, {
    ...ABOUT,
    strategy: '<script>alert(1)</script>',
  });

  it('says what came of it', () => {
    expect(summary).toMatchObject({
      from: '2020-01-02',
      to: '2020-01-06',
      sessions: 3,
      bars: 3,
      initial: 10_000,
      final: 11_498,
      costs: { fees: 2 },
      trades: {
        closed: 1,
        won: 1,
        daysHeld: { mean: 3, median: 3 },
        profitFactor: null,
        open: 0,
        averagePnl: 1_498,
      },
    });
  });

  it('holds every order, fill and trade, and what it was run with', () => {
    expect(summary.orders).toMatchObject([
      { order_id: 'b-1', action: 'buy', quantity: 50, status: 'filled', average_price: 90, fees: 1 },
      { order_id: 'b-2', action: 'sell', quantity: 50, status: 'filled', average_price: 120, fees: 1 },
    ]);
    expect(summary.fills).toEqual([
      {
        session: '2020-01-03',
        order_id: 'b-1',
        ticker: 'ACME',
        action: 'buy',
        quantity: 50,
        price: 90,
        fee: 1,
      },
      {
        session: '2020-01-06',
        order_id: 'b-2',
        ticker: 'ACME',
        action: 'sell',
        quantity: 50,
        price: 120,
        fee: 1,
      },
    ]);
    expect(summary.trades.list).toMatchObject([{ ticker: 'ACME', pnl: 1_498, fees: 2 }]);
    expect(summary.parameters).toMatchObject({
      cash: 100_000,
      fees: { kind: 'per-share', per_share: 0.005, minimum: 1, maximum_percent: 1 },
      slippage_percent: 0.05,
      volume_limit_percent: 10,
      margin_percent: 30,
      max_daily_loss_percent: null,
    });
  });

  it('shows every trade on its page', () => {
    const list = Array.from({ length: 1_500 }, () => summary.trades.list[0]!);
    const html = renderReport({ ...summary, trades: { ...summary.trades, list } });
    expect(html.match(/<td>ACME<td>/g)).toHaveLength(1_500);
  });

  it('is one page without markup of others, scripts or anything from elsewhere', () => {
    const html = renderReport(summary);
    expect(html).toContain('synthetic data');
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toMatch(/<script|https?:|src=|href=/);
    // There are two charts, account value and drawdown, each for wide and for narrow windows.
    expect(html.match(/<svg /g)).toHaveLength(4);
  });

  it('labels its axes, and tells months and ways down', () => {
    const html = renderReport(summary);
    expect(html).toContain(
      'aria-label="Account value, USD: &lt;script&gt;alert(1)&lt;/script&gt; from 10,000 on 2020-01-02 to 11,498 on 2020-01-06, ' +
        'lowest 9,999, highest 11,498"',
    );
    // A strategy may be called `none` or `red`, and its curve has its colour nevertheless.
    const named = renderReport({ ...summary, strategy: 'none' });
    expect(named.match(/stroke="var\(--accent\)"/g)).toHaveLength(4);
    expect(html).toMatch(/<th scope="row">2020<td style="[^"]*--gain\) 50%[^"]*">15.0<td><td>.*<b>15.0<\/b>/);
    expect(html).toContain('<tr><td>2020-01-02<td>2020-01-03<td>2020-01-06<td>-0.01 %');
  });

  it('says when, by what and with which settings it was made, and which years are only a part', () => {
    const html = renderReport(summary);
    expect(html).toContain(`Made on <span class="day">2026-01-01</span> by beleg ${VERSION}.`);
    expect(html).toContain('<pre>npx beleg backtest</pre>');
    expect(html).toContain(
      '<th scope="row">Fees of an order<td>0.005 USD a share, at least 1 USD, at most 1 % of its value',
    );
    expect(html).toContain('<th scope="row">Largest order<td>no limit');
    expect(html).toContain('<th scope="row">2020 to 2020-01-06<td>');
  });

  it('draws prices from the first session of the test on', () => {
    const early = [
      day('2019-06-03', 10),
      day('2020-01-02', 100),
      day('2020-01-03', 90),
      day('2020-01-06', 120),
    ];
    const html = render(summary, { sessions: early, made: '2026-01-01' });
    const chart = /<summary>ACME, 2 fills[^]*?<\/details>/.exec(html)![0];
    expect(chart).toContain('2020');
    expect(chart).not.toMatch(/2019|>Jul</);
  });

  it('draws every fill on the prices, in shares of the last day', () => {
    const sessions = [day('2020-01-02', 100), day('2020-01-03', 90), day('2020-01-06', 40)];
    const split = [...sessions, day('2020-01-07', 45, { splits: { ACME: '2/1' } })];
    const html = render(summary, { sessions: split, made: '2026-01-01' });
    expect(html).toContain('<title>2020-01-03: buy 100 at 45</title>');
    expect(html).toContain('<title>2020-01-06: sell 100 at 60</title>');
    expect(html.match(/<title>2020/g)).toHaveLength(2 * summary.fills.length);
  });

  it('has a look-ahead before everything else, once', () => {
    const found = 'LOOK-AHEAD: the column "bid" says what the next session brings.';
    const told = { ...summary, notes: ['SERIES: strategies are shown these series: vix.', found] };
    expect(notesOf(told)[0]).toBe(found);
    const html = renderReport(told);
    expect(html.split('LOOK-AHEAD')).toHaveLength(2);
    expect(html.indexOf('LOOK-AHEAD')).toBeLessThan(html.indexOf('<table'));
  });

  it('says once that what programs read by themselves was not looked at', () => {
    const own = { hash: 'ab12', parameters: {}, share: 0.5, capital: 1, fault: null, profit: 0 };
    const strategies = ['exec:python3 one.py', './two.ts', 'exec:python3 three.py'].map((source, at) => ({
      ...own,
      status: 'running' as const,
      name: ['one', 'two', 'three'][at]!,
      source,
    }));
    const notes = notesOf({ ...summary, ownStrategies: strategies });
    expect(notes.filter((note) => note.startsWith('NOT CHECKED'))).toEqual([
      expect.stringContaining('one and three are programs'),
    ]);
    expect(notesOf({ ...summary, ownStrategies: [strategies[1]!] })).toEqual([]);
  });

  it('folds notes that differ only in tickers, dates and figures', () => {
    const notes = [
      'SETTLED on 2020-01-07: ACME no longer trades. 50 closed.',
      'SETTLED on 2020-03-09: OTHER no longer trades. 7 closed.',
      'ACME.csv: 3 dividends and 1 splits were derived from its adjusted closes',
      'HALTED twice: in 2 of 9 sessions no position could be opened.',
      '  2020-01-06, until 2020-01-07: daily loss (2 %)',
    ];
    expect(foldNotes(notes, ['ACME', 'OTHER'])).toEqual([
      { first: notes[0], more: [notes[1]] },
      { first: notes[2], more: [] },
      { first: notes[3], more: [notes[4]] },
    ]);
  });

  it('names the files of all that is left out, and counts other notes', () => {
    const files = Array.from({ length: 25 }, (_, at) => `T${at}.csv`);
    const notes = [
      ...['AAA', 'BBB', 'CCC'].map(
        (name) => `LEFT OUT: ${name}.csv:1: column date is missing in "x"; all bars of ${name} are left out`,
      ),
      ...files.map((file) => `${file}: 2 rows left out that cannot be read: open "x" is not a number`),
      ...['ACME', 'OTHER'].map((ticker) => `${ticker}.csv: no dividends are known`),
    ];
    expect(foldNotes(notes, ['AAA', 'BBB', 'CCC', 'ACME', 'OTHER']).map(inOneLine)).toEqual([
      `${notes[0]} (and also BBB.csv, CCC.csv; --json has all with their reasons)`,
      `${notes[3]} (and also ${files.slice(1, 21).join(', ')}, and 4 more; --json has all with their reasons)`,
      'ACME.csv: no dividends are known (and 1 more like it; --json has all)',
    ]);
  });

  it('says each reason for which something was not got, the most frequent first', () => {
    const unmet = [
      { reason: 'not enough cash', count: 61, first: 'ACME on 2018-01-16, 163 of 328' },
      { reason: 'the account refused the order: TRADING_HALTED', count: 567, first: 'OTHER on 2019-01-16' },
    ];
    const notes = notesOf({ ...summary, unmet });
    expect(notes).toEqual([
      expect.stringMatching(/^NOT GOT: 567 times .*TRADING_HALTED/),
      expect.stringMatching(/^NOT GOT: 61 times .*not enough cash/),
    ]);
    expect(foldNotes(notes, ['ACME', 'OTHER'])).toHaveLength(2);
  });

  it('names what belongs to a note as its details, with amounts of two decimals', () => {
    const halted = {
      session: '2020-01-06',
      resumed: null,
      reason: 'no_equity' as const,
      detail: 'the account is worth -43990.4353712014875001',
    };
    const html = renderReport({ ...summary, halts: [halted], haltedSessions: 1 });
    expect(html).toMatch(/HALTED once: [^<]* <b>Details\.<\/b>/);
    expect(html).toContain('<li>2020-01-06, never resumed: no equity (the account is worth -43,990.44)</ul>');
  });

  it('says so where there is nothing to draw', () => {
    const empty = test([], { strategy });
    const nothing = summarise(empty.backtest, ABOUT);
    expect(nothing).toMatchObject({ sessions: 0, from: null, final: 10_000 });
    expect(renderReport(nothing)).toContain('Too few sessions');
  });
});

it('meets every order in its session, however many there are', () => {
  const tickers = Array.from({ length: 600 }, (_, n) => `T${n}`);
  const bar = { open: 1, high: 1, low: 1, close: 1, volume: 1_000_000 };
  const bars = Object.fromEntries(tickers.map((ticker) => [ticker, bar]));
  const sessions = ['2024-01-02', '2024-01-03', '2024-01-04'].map((date) => ({
    date,
    bars,
    splits: {},
    dividends: {},
  }));
  const { strategy } = scripted({ 0: tickers.map((ticker) => ({ ticker, weight: 0.001 })) });
  const { events } = test(sessions, { strategy });
  const filled = events.flatMap(({ type, data }) => (type === 'OrderFilled' ? data.session : []));
  expect(filled).toEqual(tickers.map(() => '2024-01-03'));
});
