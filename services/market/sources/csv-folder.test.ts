import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { barsFrom } from '../bar-columns.ts';
import { readBars } from './csv-table.ts';
import { csvSource } from './csv-folder.ts';
import { SourceFaults, type SourceBar } from './source.ts';

const HEADER = 'date,open,high,low,close,adj_close,volume';
const GOOD = `${HEADER}\n2020-01-02,1,2,0.5,1.5,1.4,100\n2020-01-03,1.5,2,1,1.75,1.6,0\n`;

const read = async (text: string | Buffer) => barsFrom(readBars('A.csv', Buffer.from(text)).bars);

/** The faults of a table, or its bars if there are none. */
async function faults(text: string | Buffer): Promise<unknown> {
  try {
    return await read(text);
  } catch (error) {
    if (error instanceof SourceFaults) return error.faults;
    throw error;
  }
}

const isFault = (entry: unknown) => typeof entry === 'string' && /^A\.csv:\d+: ./u.test(entry);
const isBar = (entry: unknown) => {
  const { date, columns: _, ...figures } = entry as SourceBar;
  return (
    /^\d{4}-\d\d-\d\d$/u.test(date) && Object.values(figures).every((figure) => figure >= 0 && figure < 1e17)
  );
};

const withDates = (...dates: string[]) =>
  faults(`Date,Open,High,Low,Close,Volume\n${dates.map((date) => `${date},1,1,1,1,1\n`).join('')}`);
const row = (line: string) => faults(`${HEADER}\n${line}\n`);

describe('a table of bars', () => {
  const bars = [
    { date: '2020-01-02', open: 1, high: 2, low: 0.5, close: 1.5, volume: 100 },
    { date: '2020-01-03', open: 1.5, high: 2, low: 1, close: 1.75, volume: 0 },
  ];

  it('is read whatever the order of its columns, with a byte order mark, CRLF, quotes, empty lines', async () => {
    expect(await read(GOOD)).toEqual(bars);
    expect(await read(`\uFEFF${GOOD.replaceAll('\n', '\r\n')}`)).toEqual(bars);
    expect(await read(GOOD.replace('\n', '\r\n'))).toEqual(bars);
    expect(await read(GOOD.replaceAll('1.75', '"1.75"').replace('\n', '\n\n'))).toEqual(bars);
    const columns = 'Volume,Split,Close,Low,High,Open,Date';
    expect(await read(`${columns}\n100,x,1.5,.5,2,1,2020-01-02\n`.replace(',.5', ',0.5'))).toEqual([bars[0]]);
  });

  it('is read in every encoding that its signs speak for, as documents are', async () => {
    const german = 'Datum;Eröffnung;Hoch;Tief;Zuletzt;Volumen\n02.01.2020;1;2;0,5;1,5;100\n';
    const dos = Buffer.from(german.replace('ö', '\u0094'), 'latin1');
    expect(await read(dos)).toEqual([bars[0]]);
    expect(await read(Buffer.from(german, 'latin1'))).toEqual([bars[0]]);
    // Excel's "Unicode text" without the byte-order mark.
    expect(await read(Buffer.from(GOOD, 'utf16le'))).toEqual(bars);
    expect(await read(Buffer.from(GOOD, 'utf16le').swap16())).toEqual(bars);
    expect(await faults(Buffer.from([0x50, 0x4b, 3, 4, 0, 0xff, 0xfe, 9]))).toEqual([
      'A.csv:1: is not text: save it as CSV in UTF-8',
    ]);
  });

  it('is read as Yahoo and as pandas write it', async () => {
    const yahoo = 'Date,Open,High,Low,Close,Adj Close,Volume\n2020-01-02,1.000000,2,0.5,1.5,1.4,100\n';
    expect(await read(yahoo)).toEqual([bars[0]]);
    expect(await read(`${yahoo}2020-01-03,null,null,null,null,null,null\n`)).toEqual([bars[0]]);
    expect(await read(`${yahoo}2020-01-03,1,2,0.5,null,null,null\n`)).toEqual([bars[0]]);
    const pandas = `${HEADER}\n2020-01-02 00:00:00-05:00,1.0,2.0,5e-1,1.5,,100.0\n`;
    expect(await read(pandas)).toEqual([bars[0]]);
  });

  it('names wrong columns', async () => {
    expect(await faults('date,open,high,low,volume\n')).toEqual([
      'A.csv:1: column close is missing in "date,open,high,low,volume"',
    ]);
    expect(await faults(`${HEADER},Close\n`)).toEqual(['A.csv:1: the column close appears twice']);
    expect(await faults('')).toEqual(['A.csv:1: the file has no bars']);
    expect(await faults(`${HEADER}\n`)).toEqual(['A.csv:1: the file has no bars']);
  });

  it.each([
    ['2020-01-02,1,2,x,1.5,1,100', 'low "x" is not a number'],
    [
      '2020-01-02,NaN,2,1,1.5,1,100',
      'the file has no bars; 1 row without a price passed over (the first in line 2)',
    ],
    ['2020-01-02,1,Infinity,1,1.5,1,100', 'high "Infinity" is not a number'],
    ['2020-01-02,1,2,1,-1.5,1,100', 'close "-1.5" is negative'],
    [
      '2020-01-02,1,2,1,0,1,100',
      'the file has no bars; 1 row with a price of 0 passed over (the first in line 2)',
    ],
    ['2020-01-02,1,1e308,1,1.5,1,100', 'high "1e308" is too large for a price'],
    ['2020-01-02,1,2,1,1.5,1,-1', 'volume "-1" is negative'],
    ['2020-01-02,1,2,1,1.5,1,1e17', 'volume "1e17" is too large'],
    ['2020-01-02,1,2,1,1,5,1,100', '8 fields instead of 7 (a decimal comma that is not in quotes?)'],
    ['2020-01-02,1,2,1', '4 fields instead of 7'],
    ['2.1.2,1,2,1,1.5,1,100', 'date "2.1.2" is not a date like 2020-01-31'],
    [
      '01/02/2020,1,2,1,1.5,1,100',
      'date "01/02/2020" may have the day or the month first, and no other date decides; write dates like 2020-01-31',
    ],
    ['2020-02-30,1,2,1,1.5,1,100', 'date 2020-02-30 is not a valid date'],
    ['2020-01-02 09:30:00,1,2,1,1.5,1,100', 'date "2020-01-02 09:30:00" is not a date like 2020-01-31'],
    [`2020-01-02,${'9'.repeat(99)},2,1,1.5,1,1`, `open "${'9'.repeat(30)}…" is not a number`],
    ['2020-01-02,1,2,1,1.5,1,1"0"', 'a quote is not allowed here'],
    ['"2020-01-02,1,2,1,1.5,1,1', 'a quote is not closed'],
    [`"${'x'.repeat(20_000)}`, 'a line has more than 10000 characters (is a quote not closed?)'],
  ])('%s', async (line, fault) => {
    const [first] = (await row(line)) as string[];
    expect(first).toMatch(/^A\.csv:[123]: /u);
    expect(first!.replace(/^A\.csv:\d: /u, '')).toBe(fault);
  });

  it('names every fault by its line, dates twice or out of order too', async () => {
    const lines = [
      '2020-01-03,1,2,1,1,1,1',
      '2020-01-02,1,2,1,1,1,1',
      '2020-01-03,a,b,1,1,1,1',
      '2020-01-04,1,2,1,1,1,1',
    ];
    expect(await faults(`${HEADER}\n${lines.join('\n')}\n`)).toEqual([
      'A.csv:3: 2020-01-02 comes after 2020-01-03',
      'A.csv:4: open "a" is not a number',
      'A.csv:4: high "b" is not a number',
    ]);
    expect(await faults(`${HEADER}\n2020-01-03,1,2,1,1,1,1\n2020-01-03,1,2,1,1.5,1,1\n`)).toEqual([
      'A.csv:3: 2020-01-03 appears twice',
    ]);
  });

  it('says that the order of short dates is not understood where the year comes first', async () => {
    expect(await withDates('23.01.30', '23.01.31', '23.02.01')).toEqual([
      'A.csv:2: date "23.01.30" and those after it are in no order as day, month and year: their order is not understood; write dates like 2020-01-31',
    ]);
    expect(await withDates('31.01.23', '30.01.23', '02.01.23')).toHaveLength(3);
    expect(await withDates('02.01.23', '01.02.23', '03.02.22')).toEqual([
      'A.csv:2: 2023-01-02 comes after 2023-02-01',
    ]);
  });

  it('names each kind of fault once, with how many there are', async () => {
    const found = (await faults(`${HEADER}\n${'x,1,1,1,1,1,1\n'.repeat(1_000)}`)) as string[];
    expect(found).toEqual(['A.csv:2: date "x" is not a date like 2020-01-31 (and in 999 more lines)']);
  });

  it('gives faults or good bars, whatever is done to it', async () => {
    const table = Buffer.from(GOOD);
    const change = fc.record({
      at: fc.nat(table.length),
      drop: fc.nat(20),
      put: fc.oneof(
        fc.uint8Array({ maxLength: 8 }),
        fc
          .constantFrom('"', ',', '\n', ';', '\r', '-', 'NaN', '1e308', '\0', '\uFEFF')
          .map((text) => Buffer.from(text)),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const text = changes.reduce<Buffer>(
          (bytes, { at, drop, put }) =>
            Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + drop)]),
          table,
        );
        const found = (await faults(text)) as unknown[];
        expect(found.length).toBeGreaterThan(0);
        expect(found.filter((entry) => !isFault(entry) && !isBar(entry))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a folder of tables', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const fetch = (ticker: string, since: string | null = null) =>
    csvSource({ folder }).fetch(ticker, since, new AbortController().signal);
  const faultsOf = (ticker: string) =>
    fetch(ticker).then(
      () => [],
      (error: unknown) => (error as SourceFaults).faults,
    );

  it('has the tickers that its files are named after', async () => {
    for (const name of ['BRK-B.csv', '^GSPC.csv', 'AAPL.csv', 'aapl.csv', 'notes.txt', '..csv', 'A B.csv'])
      put(name, GOOD);
    expect(await csvSource({ folder }).tickers()).toEqual(['AAPL', 'BRK-B', '^GSPC']);
  });

  it('is away when it is not there or has no table', async () => {
    const away = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }) as Error;
    await expect(csvSource({ folder }).tickers()).rejects.toThrow(away);
    await expect(csvSource({ folder: join(folder, 'none') }).tickers()).rejects.toThrow(away);
  });

  it('takes prices as they stand where nothing is said, as of a date on', async () => {
    put('A.csv', GOOD);
    const { bars, splits, dividends, convention } = await fetch('A', '2020-01-03');
    expect(bars.map(({ date }) => date)).toEqual(['2020-01-03']);
    expect([splits, dividends, convention.bars]).toEqual([[], [], 'as-traded']);
  });

  it('says with its actions what prices mean', async () => {
    put('A.csv', GOOD);
    const tickers = {
      A: { splits: { '2020-01-03': 1.5, '2010-01-04': '3:1' }, dividends: { '2020-01-02': 0.1 } },
    };
    put('actions.json', `\uFEFF${JSON.stringify({ tickers, source: 'somewhere' })}`);
    expect(await fetch('A')).toMatchObject({
      splits: [
        { date: '2010-01-04', ratio: '3/1' },
        { date: '2020-01-03', ratio: '3/2' },
      ],
      dividends: [{ date: '2020-01-02', amount: 0.1 }],
      // The price did not fall with the split.
      convention: { bars: 'split-adjusted', dividends: 'as-traded' },
    });
    put('actions.json', JSON.stringify({ prices: 'as-traded', tickers }));
    expect((await fetch('A')).convention).toEqual({ bars: 'as-traded', dividends: 'as-traded' });
    put('actions.json', JSON.stringify({ prices: 'split-adjusted', tickers }));
    expect((await fetch('A')).convention).toEqual({ bars: 'split-adjusted', dividends: 'as-traded' });
  });

  it('says that there are no dividends where nothing tells of them', async () => {
    put('A.csv', 'Date,Open,High,Low,Close,Volume\n2020-01-02,50,50,50,50,1\n');
    expect((await fetch('A')).notes).toEqual([
      'A.csv: no dividends are known: the file has no adjusted closes, and actions.json does not list the ticker',
    ]);
  });

  it('takes dividends from adjusted closes, and says what it cannot tell', async () => {
    put(
      'A.csv',
      'Date,Open,High,Low,Close,Adj Close,Volume\n2020-01-02,50,50,50,50,49.5,1\n2020-01-03,51,51,51,51,51,1\n',
    );
    expect(await fetch('A')).toMatchObject({
      dividends: [{ date: '2020-01-03', amount: 0.5 }],
      notes: [
        'A.csv: 1 dividends and 0 splits were derived from its adjusted closes',
        expect.stringMatching(/^A\.csv: its prices may be split-adjusted/) as string,
      ],
    });
    put('actions.json', JSON.stringify({ prices: 'as-traded', tickers: {} }));
    expect((await fetch('A')).notes).toHaveLength(1);
    put('actions.json', JSON.stringify({ tickers: { A: { dividends: { '2020-01-03': 0.4 } } } }));
    expect(await fetch('A')).toMatchObject({ dividends: [{ amount: 0.4 }], notes: [] });
  });

  it('tells from the prices around a split whether they are adjusted, where it is not said', async () => {
    const split = { tickers: { A: { splits: { '2020-01-03': 2 } } } };
    put('actions.json', JSON.stringify(split));
    for (const [after, convention] of [
      [50, 'split-adjusted'],
      [26, 'as-traded'],
    ] as const) {
      put(
        'A.csv',
        `date,open,high,low,close,volume\n2020-01-02,50,50,50,50,1\n2020-01-03,${after},${after},${after},${after},1\n`,
      );
      expect((await fetch('A')).convention.bars).toBe(convention);
      put('actions.json', JSON.stringify({ ...split, prices: 'as-traded' }));
      expect((await fetch('A')).convention.bars).toBe('as-traded');
      put('actions.json', JSON.stringify(split));
    }
  });

  it('names what is wrong with its actions', async () => {
    put('A.csv', GOOD);
    put('B.csv', GOOD);
    put(
      'actions.json',
      JSON.stringify({
        tickers: { A: { splits: { '2020-13-01': 2, '2020-01-01': 0 }, dividends: { '2020-01-02': '1' } } },
      }),
    );
    expect(await faultsOf('A')).toEqual([
      'actions.json: A splits: 2020-13-01 is not a valid date',
      'actions.json: A splits 2020-01-01: "0" is not greater than 0',
      'actions.json: A dividends 2020-01-02: "\\"1\\"" is not greater than 0',
    ]);
    expect(await faultsOf('B')).toEqual([]);
    put('actions.json', '{');
    expect(await faultsOf('B')).toEqual(['actions.json: is not valid JSON']);
    put('actions.json', '{"prices": "adjusted"}');
    expect(await faultsOf('B')).toEqual([
      'actions.json: prices: must be as-traded or split-adjusted',
      expect.stringMatching(/^actions\.json: tickers: /u),
    ]);
  });

  it('reads nothing that lies outside, and only files', async () => {
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    put('secret.csv', GOOD);
    symlinkSync(join(folder, 'secret.csv'), join(inner, 'OUT.csv'));
    writeFileSync(join(inner, 'real.txt'), GOOD);
    symlinkSync('real.txt', join(inner, 'IN.csv'));
    mkdirSync(join(inner, 'DIR.csv'));
    const source = csvSource({ folder: inner });
    const { signal } = new AbortController();
    await expect(source.fetch('OUT', null, signal)).rejects.toMatchObject({
      faults: ['OUT.csv: points outside the folder'],
    });
    await expect(source.fetch('DIR', null, signal)).rejects.toMatchObject({
      faults: ['DIR.csv: is not a file'],
    });
    await expect(source.fetch('NONE', null, signal)).rejects.toMatchObject({
      faults: ['NONE.csv: the file does not exist'],
    });
    expect((await source.fetch('IN', null, signal)).bars).toHaveLength(2);
  });

  it('has another version once a file has changed', async () => {
    put('A.csv', GOOD);
    const source = csvSource({ folder });
    const before = await source.version!();
    expect(await source.version!()).toBe(before);
    put('A.csv', `${GOOD}2020-01-06,1,2,1,1,1,1\n`);
    const after = await source.version!();
    expect(after).not.toBe(before);
    put('actions.json', '{"tickers":{}}');
    expect(await source.version!()).not.toBe(after);
  });
});
