import { beforeEach, describe, expect, it } from 'vitest';
import { dateOf, DAY_MS } from '../../events/dates.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { feedOf } from './session-feed.ts';
import type { BarSource, Dividend, Fetched, SourceBar, Split } from './sources/source.ts';
import { openMarketStore, type MarketStore } from './store.ts';

let store: MarketStore;
beforeEach(() => {
  store = openMarketStore(':memory:');
});

const date = (day: number) => dateOf(Date.UTC(2024, 0, day));
const figures = (close: number) => ({ open: close, high: close, low: close, close, volume: 100 });
const bar = (day: number, close = 10): SourceBar => ({ date: date(day), ...figures(close) });
const days = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

function put(ticker: string, bars: SourceBar[], splits: Split[] = [], dividends: Dividend[] = []): void {
  store.update(ticker, { bars, splits, dividends }, { updateId: 'u', at: '', complete: false, warnings: [] });
}

const complete = (day: number) => store.setNotes({ complete_until: date(day) });

function feed(more: Partial<BarSource> & { feedFrom?: string } = {}): ReturnType<typeof feedOf> {
  const source: BarSource = {
    name: 'test',
    synthetic: true,
    index: null,
    feedStart: 'year-before-end',
    tickers: () => Promise.resolve([]),
    fetch: () => Promise.reject(new Error('not asked')),
    ...more,
  };
  return feedOf({
    store,
    source,
    feedFrom: more.feedFrom ?? null,
    leaveOut: (ticker) => ticker === 'INDEX',
  });
}

const datesOf = ({ sessions }: { sessions: { date: string }[] }) => sessions.map((session) => session.date);

const known = ({ sessions }: { sessions: readonly SessionData[] }) =>
  sessions.map(({ series = {} }) => [series['rate']?.value, series['rate']?.date, series['late']?.value]);

const mayBeBought = ({ sessions }: { sessions: readonly SessionData[] }) =>
  sessions.map(({ universe }) => universe);

describe('the feed', () => {
  it('says at each session what is known of the series by then, and what was revised only later', async () => {
    put(
      'A',
      days(2, 6).map((day) => bar(day)),
    );
    complete(6);
    const of = (name: string, ...values: [of: number, known: number, value: number][]) => ({
      name,
      values: values.map(([of, known, value]) => ({ date: date(of), known: date(known), value })),
    });
    store.putBeside({
      series: [of('late', [4, 4, 7]), of('rate', [1, 3, 1.5], [2, 4, 2.5], [1, 5, 1.6], [2, 6, 2.6])],
      universe: [],
    });
    const rows = [
      [undefined, undefined, undefined],
      [1.5, date(1), undefined],
      [2.5, date(2), 7],
      [2.5, date(2), 7],
      [2.6, date(2), 7],
    ];
    expect(known(await feed().after('2024-01-01', 9))).toEqual(rows);
    // Wherever a reader begins, the sessions are the same.
    expect(known(await feed().after(date(4), 9))).toEqual(rows.slice(3));
    store.putBeside({ series: [], universe: [] });
    expect((await feed().after('2024-01-01', 9)).sessions.every((session) => !('series' in session))).toBe(
      true,
    );
  });

  it('says on each day what may be bought, of what can be traded, and nothing where nothing says so', async () => {
    put(
      'A',
      days(2, 6).map((day) => bar(day)),
    );
    complete(6);
    const of = (ticker: string, from: number, to: number | null) => ({
      ticker,
      from: date(from),
      to: to === null ? null : date(to),
    });
    const universe = [of('C', 3, 4), of('A', 1, null), of('B', 2, 3), of('B', 5, 5), of('INDEX', 1, null)];
    store.putBeside({ series: [], universe });
    const rows = [['A', 'B'], ['A', 'B', 'C'], ['A', 'C'], ['A', 'B'], ['A']];
    expect(mayBeBought(await feed().after('2024-01-01', 9))).toEqual(rows);
    expect(mayBeBought(await feed().after(date(4), 9))).toEqual(rows.slice(3));
    store.putBeside({ series: [], universe: [] });
    expect((await feed().after('2024-01-01', 9)).sessions.every((session) => !('universe' in session))).toBe(
      true,
    );
  });

  it('shows a day of the whole market, as traded, without what nobody can trade', async () => {
    put('A', [bar(2), bar(3, 5)], [{ date: date(3), ratio: '2/1' }]);
    put('B', [bar(3, 20), bar(4, 21)], [], [{ date: date(4), amount: 0.25 }]);
    put('INDEX', [bar(4, 1)]);
    complete(4);
    expect((await feed().after(date(2), 9)).sessions).toEqual([
      { date: date(3), bars: { A: figures(5), B: figures(20) }, splits: { A: '2/1' }, dividends: {} },
      { date: date(4), bars: { B: figures(21) }, splits: {}, dividends: { B: 0.25 } },
    ]);
    expect(feed().on(date(3))).toMatchObject({ splits: { A: '2/1' } });
    expect(feed().on(date(5))).toBeNull();
    expect(feed().on(date(1))).toBeNull();
  });

  it('lets time pass in a hole of the tables, so that what was held through it is gone', async () => {
    // Two weeks without a weekday's bar are a hole, nine weekdays are not.
    put('A', [bar(1), bar(12), bar(60)], [{ date: date(20), ratio: '2/1' }]);
    complete(60);
    const weekdays = days(13, 60).filter((day) => new Date(date(day)).getUTCDay() % 6 !== 0);
    const { sessions } = await feed().after(date(1), 99);
    expect(datesOf({ sessions })).toEqual([date(12), ...weekdays.map(date)]);
    expect(sessions.filter(({ splits }) => splits['A'] !== undefined).map((session) => session.date)).toEqual(
      [date(22)],
    );
    const firstGone = sessions.find(({ gone }) => gone !== undefined)!;
    expect(firstGone).toEqual({
      date: date(weekdays[19]!),
      bars: {},
      splits: {},
      dividends: {},
      gone: { A: date(12) },
    });
    // The result is the same from within the hole, session by session.
    for (const session of sessions) {
      expect(feed().on(session.date)).toEqual(session);
      const next = sessions.find((other) => other.date > session.date);
      expect((await feed().after(session.date, 1)).sessions).toEqual(next === undefined ? [] : [next]);
    }
  });

  it('lets what happened on a day without trade take effect with the next session, once', async () => {
    const splits = [date(4), date(5), date(8)].map((day) => ({ date: day, ratio: '2/1' }));
    const dividends = [
      { date: date(4), amount: 1 },
      { date: date(6), amount: 0.5 },
    ];
    put('A', [bar(3), bar(6), bar(7)], splits, dividends);
    complete(7);
    const expected = [
      { date: date(6), splits: { A: '4/1' }, dividends: { A: 0.5 + 1 / 2 } },
      { date: date(7), splits: {}, dividends: {} },
    ];
    expect((await feed().after(date(3), 9)).sessions).toMatchObject(expected);
    expect((await feed().after(date(6), 9)).sessions).toMatchObject(expected.slice(1));
    expect(feed().on(date(6))).toMatchObject(expected[0]!);
  });

  it('has nothing that took effect before anything traded', async () => {
    put('A', [bar(3)], [{ date: date(1), ratio: '2/1' }], [{ date: date(3), amount: 1 }]);
    complete(3);
    const { sessions } = await feed().after(null, 9);
    expect(sessions).toMatchObject([{ date: date(3), splits: {}, dividends: { A: 1 } }]);
  });

  it('shows nothing before the first load is over, and no day that is not complete', async () => {
    put('A', [bar(2), bar(3)]);
    expect(await feed().after(null, 9)).toEqual({ sessions: [], warm_up: null });
    expect(feed().on(date(2))).toBeNull();
    complete(2);
    expect(datesOf(await feed().after(null, 9))).toEqual([date(2)]);
    expect(feed().on(date(3))).toBeNull();
  });

  it('names a ticker that has had no bar in 20 sessions, as long as it has none, wherever a page begins', async () => {
    put(
      'A',
      days(1, 60).map((day) => bar(day)),
    );
    put('B', [bar(1), bar(5), bar(40), bar(41)]);
    put('AWAY', [bar(5)]);
    put('INDEX', [bar(5)]);
    complete(60);
    store.fail('AWAY', ['away'], { updateId: 'u', at: '' });
    const told = feed({ feedFrom: date(1) });
    const { sessions } = await told.after(date(1), 60);
    const gone = sessions.filter((session) => session.gone !== undefined);
    expect(gone.map((session) => session.date)).toEqual([...days(25, 39)].map(date));
    expect(gone.map((session) => session.gone)).toEqual(days(25, 39).map(() => ({ B: date(5) })));
    for (const day of [24, 25, 39, 40, 60]) {
      const whole = sessions.find((session) => session.date === date(day));
      expect(told.on(date(day))).toEqual(whole);
      expect((await told.after(date(day - 1), 1)).sessions).toEqual([whole]);
    }
    store.update(
      'B',
      { bars: [], splits: [], dividends: [] },
      { updateId: 'v', at: '', complete: false, warnings: [] },
    );
    put(
      'A',
      days(61, 61).map((day) => bar(day)),
    );
    complete(61);
    expect(told.on(date(61))).toMatchObject({ gone: { B: date(41) } });
  });

  it('starts where it is told, else a year before the end, or at the end', async () => {
    put(
      'A',
      days(1, 300).map((day) => bar(day)),
    );
    complete(300);
    const year = await feed().after(null, 1);
    expect([year.warm_up, datesOf(year)]).toEqual([date(48), [date(49)]]);
    const told = await feed({ feedFrom: date(10) }).after(null, 1);
    expect([told.warm_up, datesOf(told)]).toEqual([date(9), [date(10)]]);
    const first = await feed({ feedFrom: date(1) }).after(null, 1);
    expect([first.warm_up, datesOf(first)]).toEqual([null, [date(1)]]);
    const end = await feed({ feedStart: 'end' }).after(null, 1);
    expect([end.warm_up, datesOf(end)]).toEqual([date(300), []]);
  });

  it('gives as many sessions as a reply can carry', async () => {
    for (let at = 0; at < 40; at++)
      put(
        `T${at}`,
        days(1, 90).map((day) => bar(day, 123.456_789)),
      );
    complete(90);
    const { sessions } = await feed().after(null, 1_000);
    expect(sessions).toHaveLength(80);
    expect(JSON.stringify(sessions).length).toBeLessThan(512 * 1024);
  });

  it('has a market without an end made on, however far ahead it is, once for those who ask at once', async () => {
    put('A', [bar(1)]);
    complete(1);
    const asked: [string, number][] = [];
    const extend: BarSource['extend'] = (after, count) => {
      asked.push([after, count]);
      const last = Math.round((Date.parse(after) - Date.UTC(2024, 0, 1)) / DAY_MS) + 1;
      const fetched: Fetched = {
        bars: days(last + 1, last + count).map((day) => bar(day)),
        splits: [],
        dividends: [],
        convention: { bars: 'as-traded', dividends: 'as-traded' },
      };
      return Promise.resolve(new Map([['A', fetched]]));
    };
    const endless = feed({ extend });
    const [one, two] = await Promise.all([endless.after(date(1), 2), endless.after(date(1), 3)]);
    expect([datesOf(one), datesOf(two)]).toEqual([
      [date(2), date(3)],
      [date(2), date(3), date(4)],
    ]);
    expect(asked).toEqual([
      [date(1), 2],
      [date(3), 1],
    ]);
    expect(datesOf(await endless.after(date(400), 1))).toEqual([date(401)]);
    expect(store.state('A')).toMatchObject({ last: store.note('complete_until') });
    expect(datesOf(await endless.after('9999-01-01', 1))).toEqual([]);
  });

  it('begins on the same day, however far such a market was made on for others', async () => {
    put(
      'A',
      days(1, 300).map((day) => bar(day)),
    );
    complete(300);
    const extend: BarSource['extend'] = (after, count) => {
      const last = Math.round((Date.parse(after) - Date.UTC(2024, 0, 1)) / DAY_MS) + 1;
      const bars = days(last + 1, last + count).map((day) => bar(day));
      const convention = { bars: 'as-traded', dividends: 'as-traded' } as const;
      return Promise.resolve(new Map([['A', { bars, splits: [], dividends: [], convention }]]));
    };
    const endless = feed({ extend });
    for (const after of [date(300), date(380)])
      expect(datesOf(await endless.after(after, 5))).toHaveLength(5);
    expect((await endless.after(null, 1)).warm_up).toBe(date(48));
  });

  it('ends where such a market does', async () => {
    put('A', [bar(1)]);
    complete(1);
    const endless = feed({ extend: () => Promise.resolve(new Map()) });
    expect(await endless.after(date(1), 5)).toEqual({ sessions: [], warm_up: null });
  });
});
