import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { csvSource } from './csv-folder.ts';
import { SourceFaults } from './source.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const put = (name: string, ...lines: readonly string[]): void =>
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
const fetch = (ticker = 'A') => csvSource({ folder }).fetch(ticker, null, new AbortController().signal);

async function faults(...lines: readonly string[]): Promise<readonly string[]> {
  put('A.csv', ...lines);
  try {
    await fetch();
  } catch (error) {
    if (error instanceof SourceFaults) return error.faults;
  }
  return [];
}

async function closes(...lines: readonly string[]): Promise<string[]> {
  put('A.csv', ...lines);
  return (await fetch()).bars.map(({ date, close, volume }) => `${date} ${close} ${volume}`);
}

/** yfinance adjusts all prices but leaves the close as it was sent. */
const row = (date: string, price: number, dividend: number) =>
  `${date},${price},${price},${price},${Math.fround(price)},1000,${dividend},0.0`;

describe('an export is read as it is', () => {
  it('of yfinance, with a header of three lines', async () => {
    const lines = [
      'Price,Close,High,Low,Open,Volume',
      'Ticker,AAPL,AAPL,AAPL,AAPL,AAPL',
      'Date,,,,,',
      '2020-01-02,72.7,72.8,71.5,71.7,135480400',
      '2020-01-03,72,72.8,71.8,72,146322800',
    ];
    expect(await closes(...lines)).toEqual(['2020-01-02 72.7 135480400', '2020-01-03 72 146322800']);
    expect(
      await faults('Price,Close,Close,High,Low,Open', 'Ticker,AAPL,MSFT,AAPL,AAPL,AAPL', 'Date,,,,,'),
    ).toEqual(['A.csv:1: the table has several tickers ("aapl", "msft"); use one file for each']);
  });

  it('of Alpha Vantage, newest first, with what it states', async () => {
    put(
      'A.csv',
      'timestamp,open,high,low,close,adjusted_close,volume,dividend_amount,split_coefficient',
      '2020-09-01,132.76,134.8,130.53,134.18,134.18,151948100,0.0,1.0',
      '2020-08-31,127.58,131,126,129.04,129.04,223505733,0.82,4.0',
      '2020-08-28,504.05,505.77,498.31,499.23,124.8,46907479,0.0,1.0',
    );
    expect(await fetch()).toMatchObject({
      bars: [{ date: '2020-08-28' }, { date: '2020-08-31' }, { date: '2020-09-01' }],
      splits: [{ date: '2020-08-31', ratio: '4/1' }],
      dividends: [{ date: '2020-08-31', amount: 0.82 }],
      convention: { bars: 'as-traded', dividends: 'as-traded' },
    });
  });

  it('of yfinance, split-adjusted, with Dividends and Stock Splits', async () => {
    put(
      'A.csv',
      'Date,Open,High,Low,Close,Adj Close,Volume,Dividends,Stock Splits',
      '2020-08-28 00:00:00-04:00,126,126.5,124.5,124.8,122.5,187629916,0.0,0.0',
      '2020-08-31 00:00:00-04:00,127.58,131,126,129.04,126.7,223505733,0.2,4.0',
    );
    expect(await fetch()).toMatchObject({
      splits: [{ date: '2020-08-31', ratio: '4/1' }],
      dividends: [{ date: '2020-08-31', amount: 0.2 }],
      convention: { bars: 'split-adjusted', dividends: 'split-adjusted' },
    });
  });

  it('of yfinance, whose prices have the dividends in them: they are not paid again, and it says so', async () => {
    put(
      'A.csv',
      'Date,Open,High,Low,Close,Volume,Dividends,Stock Splits',
      row('2020-01-02', 71.721025991, 0),
      row('2020-01-03', 71.941329023, 0),
      row('2020-01-06', 71.127865882, 0.77),
    );
    const { dividends, notes } = await fetch();
    expect(dividends).toEqual([]);
    expect(notes).toContainEqual(expect.stringMatching('its dividends are in its prices already'));
  });

  it('of Stooq in Polish', async () => {
    expect(
      await closes('Data,Otwarcie,Najwyzszy,Najnizszy,Zamkniecie,Wolumen', '2020-01-02,1,2,1,1.5,900'),
    ).toEqual(['2020-01-02 1.5 900']);
  });

  it('of Stooq without volumes, of a coin with fractions of them', async () => {
    expect(await closes('<DATE>,<OPEN>,<HIGH>,<LOW>,<CLOSE>', '20200102,1,2,1,1.5')).toEqual([
      '2020-01-02 1.5 0',
    ]);
    expect((await fetch()).notes).toContainEqual(expect.stringMatching('there is no column volume'));
    expect(
      await closes('Date,Open,High,Low,Close,Volume', '2020-01-02,1,2,1,1.5,12.75', '2020-01-03,1,2,1,1.5,-'),
    ).toEqual(['2020-01-02 1.5 12', '2020-01-03 1.5 0']);
    expect((await fetch()).notes!.slice(0, 2)).toEqual([
      'A.csv: 1 row with a fractional volume, which is cut to a whole number (the first in line 2)',
      expect.stringMatching('A.csv: 1 row without a volume'),
    ]);
  });

  it('of a coin of which less than one piece is traded a day: it says that no order is filled then', async () => {
    expect(await closes('Date,Open,High,Low,Close,Volume', '2020-01-02,1,2,1,1.5,0.4')).toEqual([
      '2020-01-02 1.5 0',
    ]);
    expect((await fetch()).notes).toContainEqual(
      expect.stringMatching('1 row with a volume below 1: it counts as 0, and no order is filled'),
    );
  });

  it('of Investing.com in German, newest first, and years of two digits', async () => {
    const header = '"Datum","Zuletzt","Eröffn.","Hoch","Tief","Vol.","+/- %"';
    const lines = [
      '"03.01.2020","10,5","10,4","11","10","1,52M","0,10%"',
      '"02.01.2020","10,2","10,1","11","10","900","1,00%"',
    ];
    expect(await closes(header, ...lines)).toEqual(['2020-01-02 10.2 900', '2020-01-03 10.5 1520000']);
    const short = [
      'Datum;Eröffnung;Hoch;Tief;Schluss;Volumen',
      '30.12.99;1,5;2;1;1,5;10',
      '31.12.24;1,5;2;1;1,6;10',
    ];
    expect(await closes(...short)).toEqual(['1999-12-30 1.5 10', '2024-12-31 1.6 10']);
  });

  it('with semicolons and decimal commas, in German', async () => {
    const lines = [
      'Datum;Eröffnung;Hoch;Tief;Schluss;Volumen',
      '02.01.2020;1.234,5;1.240;1.230;1.235;12.345',
    ];
    expect(await closes(...lines)).toEqual(['2020-01-02 1235 12345']);
  });

  it.each(['Stuecke', 'Stücke', 'Pieces'])(
    'with the pieces and the turnover beside them: %s',
    async (pieces) => {
      const lines = [
        `Datum;Erster;Hoch;Tief;Schlusskurs;${pieces};Volumen`,
        '02.01.2020;10,5;11;10;10,5;1000;10500',
      ];
      expect(await closes(...lines)).toEqual(['2020-01-02 10.5 1000']);
      expect((await fetch()).notes).toContain(
        `A.csv: volumes are of the column ${pieces.toLowerCase()}; volumen beside it counts as turnover`,
      );
      const alone = lines.map((line) => line.replace(/;[^;]*$/u, ''));
      expect(await closes(...alone)).toEqual(['2020-01-02 10.5 1000']);
      expect((await fetch()).notes).not.toContainEqual(expect.stringMatching('turnover'));
    },
  );

  it('of Euronext, with lines of title above the header that have commas', async () => {
    const lines = [
      '\uFEFF"Historical Data"',
      '"From 2024-01-02, to 2024-01-03, adjusted, all"',
      '"ASML HOLDING, NL0010273215, XAMS"',
      'Date;Open;High;Low;Last;Close;"Number of Shares";"Number of Trades";Turnover;vwap',
      '03/01/2024;650.1;655.0;640.2;645.5;645.5;612345;40123;395000000;645.1',
      '13/01/2024;640.0;648.5;632.0;634.4;634.4;702345;50123;445000000;636.9',
    ];
    expect(await closes(...lines)).toEqual(['2024-01-03 645.5 612345', '2024-01-13 634.4 702345']);
  });

  it('in German with as many decimal commas as semicolons', async () => {
    const lines = ['Datum;Eröffnung;Hoch;Tief;Schluss', '02.01.2024;100,5;101,5;99,5;100,7'];
    expect(await closes(...lines, '15.01.2024;100,5;101,5;99,5;100,8')).toEqual([
      '2024-01-02 100.7 0',
      '2024-01-15 100.8 0',
    ]);
  });

  it('of Nasdaq and Investing.com', async () => {
    const nasdaq = [
      'Date,Close/Last,Volume,Open,High,Low',
      '01/31/2020,$309.51,49897100,$320.93,$322.68,$308.29',
    ];
    expect(await closes(...nasdaq)).toEqual(['2020-01-31 309.51 49897100']);
    const investing = [
      '"Date","Price","Open","High","Low","Vol.","Change %"',
      '"Jan 31, 2020","1,309.51","1,320.93","1,322.68","1,308.29","49.90M","-4.43%"',
    ];
    expect(await closes(...investing)).toEqual(['2020-01-31 1309.51 49900000']);
  });

  it('of MetaTrader, with tabs and points in its dates', async () => {
    const header = '<DATE>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>';
    expect(await closes(header, '2024.01.02\t1\t2\t1\t1.5\t70\t900\t1')).toEqual(['2024-01-02 1.5 900']);
  });

  it.each([
    ['seconds, New York', 14.5, 1],
    ['milliseconds, New York', 14.5, 1_000],
    ['seconds, Sydney in the evening before', -1, 1],
    ['seconds, midnight in Tokyo', -9, 1],
    ['seconds, midnight in UTC', 0, 1],
  ])('with instants, whose day the whole column tells: %s', async (_, hour, unit) => {
    const instant = (day: number) => (Date.UTC(2024, 0, day) / 1_000 + hour * 3_600) * unit;
    const days = [2, 3, 4, 5, 8, 9, 10, 11, 12].map((day) => `${instant(day)},1,2,1,1.5,900`);
    const read = await closes('time,open,high,low,close,Volume', ...days);
    expect([read.length, read[0], read[3]]).toEqual([9, '2024-01-02 1.5 900', '2024-01-05 1.5 900']);
  });

  it('with instants of which nothing tells the day: it is refused', async () => {
    const lines = [2, 3].map((day) => `${Date.UTC(2024, 0, day, 16) / 1_000},1,2,1,1.5,900`);
    expect(await faults('time,open,high,low,close,Volume', ...lines)).toEqual([
      'A.csv:2: date "1704211200" may be of two days, and no other date decides; write dates like 2020-01-31',
    ]);
  });

  it('of Google Sheets, with the time of the close, each day once', async () => {
    const header = 'Date,Open,High,Low,Close,Volume';
    expect(await closes(header, '1/2/2024 16:00:00,1,2,1,1.5,9', '1/31/2024 16:00:00,1,2,1,1.6,9')).toEqual([
      '2024-01-02 1.5 9',
      '2024-01-31 1.6 9',
    ]);
    const hours = ['1/31/2024 15:00:00,1,2,1,1.5,9', '1/31/2024 16:00:00,1,2,1,1.6,9'];
    expect(await faults(header, ...hours)).toEqual([expect.stringMatching('is not a date like')]);
  });

  it('where rows are empty or without a number, which are counted', async () => {
    const lines = [
      'Date,Open,High,Low,Close,Volume',
      ',,,,,',
      '2020-01-02,NaN,NaN,NaN,NaN,NaN',
      '2020-01-03,1,2,1,1.5,10',
      '2020-01-06,1,2,1,,10',
    ];
    expect(await closes(...lines)).toEqual(['2020-01-03 1.5 10']);
    expect((await fetch()).notes!.slice(0, 2)).toEqual([
      'A.csv: 1 row without anything passed over (the first in line 2)',
      'A.csv: 2 rows without a price passed over (the first in line 3)',
    ]);
  });
});

describe('of rows that cannot be read', () => {
  const HEAD = 'Date,Open,High,Low,Close,Volume,Stock Splits';
  /** Days of one table, with other text in some of its lines. */
  const table = (days: number, bad: Readonly<Record<number, string>>): string[] => [
    HEAD,
    ...Array.from({ length: days }, (_, n) => {
      const date = new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10);
      return bad[n + 2]?.replace('DATE', date) ?? `${date},1,2,1,1.5,10,0`;
    }),
  ];

  it('a few are left out and named, and the ticker stays', async () => {
    put('A.csv', ...table(200, { 17: 'DATE,1,2,1,abc,10,0', 30: 'DATE,1,2' }));
    const { bars, notes } = await fetch();
    expect(bars).toHaveLength(198);
    expect(notes!.slice(0, 2)).toEqual([
      'A.csv: 1 row left out that cannot be read: 3 fields instead of 7 (the first in line 30)',
      'A.csv: 1 row left out that cannot be read: close "abc" is not a number (the first in line 17)',
    ]);
  });

  it('more than one in a hundred leave out the ticker, each kind named', async () => {
    expect(await faults(...table(199, { 17: 'DATE,1,2,1,abc,10,0', 30: 'DATE,1,2' }))).toEqual([
      'A.csv:17: close "abc" is not a number',
      'A.csv:30: 3 fields instead of 7',
    ]);
  });

  it('one with a split leaves out the ticker, because prices before it would be read wrongly', async () => {
    expect(await faults(...table(200, { 17: 'DATE,1,2,1,abc,10,4.0' }))).toEqual([
      'A.csv:17: close "abc" is not a number',
    ]);
  });
});

const undecided = (figure: string, name: string, or: string) =>
  `A.csv:2: ${name} "${figure}" may be ${or} or ${figure}, and no other figure of the file decides; ` +
  'write the column with nothing between thousands, or with a decimal point and another number of decimals';

describe('a comma in a figure', () => {
  const HEADER = 'Date,Open,High,Low,Close,Volume';

  it('is read by the evidence of the whole column, else of the whole file', async () => {
    expect(
      await closes(
        HEADER,
        '2020-01-02,"5,008","5,010","5,001","5,008",10',
        '2020-01-03,"5,008","5,010.5","5,001","5,008",10',
      ),
    ).toEqual(['2020-01-02 5008 10', '2020-01-03 5008 10']);
    expect(await closes(HEADER, '2020-01-02,"5,00","5,010","5,001","5,008",10')).toEqual([
      '2020-01-02 5.008 10',
    ]);
    expect(await closes(HEADER, '2020-01-02,5.5,6.5,5.2,5.25,"5,008"')).toEqual(['2020-01-02 5.25 5008']);
  });

  it('that nothing decides is refused, with what it may be', async () => {
    expect(await faults(HEADER, '2020-01-02,"5,008","5,010","5,001","5,009",10')).toContain(
      'A.csv:2: close "5,009" may be 5009 or 5.009, and no other figure of the file decides; write the column with nothing between thousands, or with a decimal point and another number of decimals',
    );
    const mixed = await faults(HEADER, '2020-01-02,1,2,1,"1,5",10', '2020-01-03,1,2,1,1.5,10');
    expect(mixed).toEqual([
      'A.csv:2: close "1,5" has a decimal comma, "1.5" in line 3 has a decimal point; write the whole column in one way',
    ]);
  });

  const SEMICOLONS = HEADER.replaceAll(',', ';');

  it('in a table with semicolons is not decided by points alone either', async () => {
    expect(
      await faults(SEMICOLONS, '2020-01-02;100;101;99;100;1.234', '2020-01-03;100;101;99;100;2.250'),
    ).toEqual([undecided('1.234', 'volume', '1234')]);
    const prices = await faults(SEMICOLONS, '2020-01-02;1.234;1.250;1.230;1.240;100');
    expect(prices).toEqual([
      undecided('1.234', 'open', '1234'),
      undecided('1.250', 'high', '1250'),
      undecided('1.230', 'low', '1230'),
      undecided('1.240', 'close', '1240'),
    ]);
    expect(await closes(SEMICOLONS, '2020-01-02;1,5;2;1;1,5;1.234')).toEqual(['2020-01-02 1.5 1234']);
    expect(await closes(SEMICOLONS, '2020-01-02;1.234;2.25;1.2;1.5;10')).toEqual(['2020-01-02 1.5 10']);
    expect(await closes(HEADER, '2020-01-02,1.234,2.125,1.125,1.500,10')).toEqual(['2020-01-02 1.5 10']);
  });

  it('a date that nothing decides is refused as well; one above 12 decides for all', async () => {
    expect(await closes(HEADER, '03/02/2020,1,2,1,1.5,10', '13/02/2020,1,2,1,1.6,10')).toEqual([
      '2020-02-03 1.5 10',
      '2020-02-13 1.6 10',
    ]);
    expect(await closes(HEADER, '02/03/2020,1,2,1,1.5,10', '02/13/2020,1,2,1,1.6,10')).toEqual([
      '2020-02-03 1.5 10',
      '2020-02-13 1.6 10',
    ]);
  });
});

describe('the signs of a table', () => {
  const text =
    'Datum;Eröffnung;Höchst;Tiefst;Schluss;Volumen\n02.01.2020;1,1;2,2;1,0;1,5;10\n13.01.2020;1,1;2,2;1,0;1,6;10\n';

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${text}`)],
    ['Windows-1252', Buffer.from(text, 'latin1')],
    ['UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 of the other order', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('are read in %s', async (_, bytes) => {
    writeFileSync(join(folder, 'A.csv'), bytes);
    expect((await fetch()).bars.map(({ date, close }) => `${date} ${close}`)).toEqual([
      '2020-01-02 1.5',
      '2020-01-13 1.6',
    ]);
  });
});

describe('a file', () => {
  const ROWS = ['Date,Open,High,Low,Close,Volume', '2020-01-02,1,2,1,1.5,10'];

  it('is of the ticker in its name, whatever is around it; what is left out is said', async () => {
    for (const name of [
      'aapl.csv',
      'msft_us_d.csv',
      'GOOG (1).csv',
      'M&M.NS.csv',
      'sap_de_d.csv',
      'daily_IBM.csv',
      'my own table.csv',
      'BASF11 Historische Daten.csv',
      'SAP Historische Kursdaten.csv',
      'INV2 Historische Kursdaten.csv',
      'GOOG.csv',
      'X.CSV',
    ])
      put(name, ...ROWS);
    const source = csvSource({ folder });
    expect(await source.tickers()).toEqual([
      'AAPL',
      'BASF11',
      'GOOG',
      'IBM',
      'INV2',
      'M&M.NS',
      'MSFT',
      'SAP',
      'SAP.DE',
      'X',
    ]);
    expect(await source.leftOut!()).toEqual([
      'GOOG (1).csv: is of GOOG as well, of which GOOG.csv is read',
      'my own table.csv: its name is no ticker; name it like AAPL.csv',
    ]);
    expect((await fetch('MSFT')).bars).toHaveLength(1);
  });

  it('names files of other kinds once, and none that are no tables', async () => {
    for (const name of ['AAPL.csv', 'universe.csv', 'actions.json', 'README.txt', '.x.json', 'notes.md'])
      put(name, ...ROWS);
    const source = csvSource({ folder });
    expect(await source.leftOut!()).toEqual([]);
    put('msft.us.txt', ...ROWS);
    expect(await source.leftOut!()).toEqual([
      'msft.us.txt: not read, because a table is a .csv file: save it as CSV',
    ]);
    for (let at = 0; at < 11; at++) put(`T${at}.XLSX`, ...ROWS);
    expect(await source.leftOut!()).toEqual([
      'T0.XLSX, T1.XLSX, T10.XLSX, T2.XLSX, T3.XLSX, T4.XLSX, T5.XLSX, T6.XLSX, T7.XLSX, T8.XLSX and 2 more: not read, because tables are .csv files: save them as CSV',
    ]);
  });
});
