import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INTERACTION } from '../../gateway/knowledge/fake-replies.suite.ts';
import { csvRecord, SEPARATORS, toCsv, toJsonArray } from './export-formats.ts';
import type { Interaction } from './read-feedback.ts';

const one = (differences: Partial<Interaction> = {}): Interaction => ({ ...INTERACTION, ...differences });

async function* each(...interactions: readonly Interaction[]): AsyncGenerator<Interaction> {
  yield* interactions;
}

const read = (csv: string) =>
  parse(csv, { bom: true, columns: true, recordDelimiter: '\r\n' }) as Record<string, string>[];

/** A cell without the apostrophes before formulas, and without control characters. */
const readBack = (cell: string) =>
  cell.replaceAll(/(?<=^|[,;\t\r\n][ \t]*)'/g, '').replaceAll(/(?![\t\r\n])\p{Cc}/gu, ' ');

describe('CSV', () => {
  test('has one row an answer, and its columns in the first', async () => {
    const csv = (await Array.fromAsync(toCsv(each(one())))).join('');
    expect(csv.startsWith('\uFEFFrequest_id,at,question,')).toBe(true);
    expect(read(csv)).toEqual([
      {
        request_id: INTERACTION.request_id,
        at: INTERACTION.at,
        question: INTERACTION.question,
        answer: INTERACTION.answer,
        status: 'answered',
        citations: 'EntgFG-3',
        rating: 'up',
        rated_at: INTERACTION.rating.at,
        feedback: INTERACTION.rating.feedback,
        comments: '#1 2026-01-15T08:02:00.000Z Bitte auch auf § 3 Abs. 3 hinweisen.',
        model: 'extractive',
        mode: 'knowledge',
        answers: '1',
        latency_ms: '12',
        erased_at: '',
      },
    ]);
  });

  test('keeps all comments in one cell, and says what was left out', async () => {
    const comment = { comment_id: 7, comment: 'a', at: '2026-01-15T08:00:00.000Z' };
    const comments = [comment, { ...comment, comment_id: 9, comment: null }];
    const [row] = read((await Array.fromAsync(toCsv(each(one({ comments, comments_omitted: 2 }))))).join(''));
    expect(row!['comments']).toBe(
      '(2 older ones not shown)\n#7 2026-01-15T08:00:00.000Z a\n#9 2026-01-15T08:00:00.000Z',
    );
  });

  test('has semicolons between its cells where they are asked for, and quotes what holds one', async () => {
    const csv = (await Array.fromAsync(toCsv(each(one({ question: 'a; b' })), ';'))).join('');
    expect(csv.startsWith('\uFEFFrequest_id;at;question;')).toBe(true);
    const rows: object[] = parse(csv, { bom: true, columns: true, recordDelimiter: '\r\n', delimiter: ';' });
    expect(rows).toMatchObject([{ question: 'a; b', citations: 'EntgFG-3', latency_ms: '12' }]);
  });

  test.each(SEPARATORS)(
    'gives every text back as it was, but for the apostrophe before a formula: %s',
    (delimiter) => {
      const Cell = fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '\t', '=', '@', '-', 'ä', ';', "'") }),
      );
      fc.assert(
        fc.property(fc.array(fc.tuple(Cell, Cell), { minLength: 1 }), (rows) => {
          const back: string[][] = parse(rows.map((row) => csvRecord(row, delimiter)).join(''), {
            recordDelimiter: '\r\n',
            delimiter,
          });
          expect(back.map((row) => row.map(readBack))).toEqual(rows.map((row) => row.map(readBack)));
        }),
      );
    },
  );

  test.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['\n=1', "'\n'=1"],
    ['a;=1+1', "a;'=1+1"],
    ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
    ['a; +1', "a; '+1"],
    ['1-2', '1-2'],
    ['a\u0085\u001b[2Jb', 'a  [2Jb'],
  ])('%j comes out as %j, whatever a spreadsheet or a terminal takes it for', (cell, expected) => {
    expect(parse(csvRecord([cell], ','), { recordDelimiter: '\r\n' })).toEqual([[expected]]);
  });
});

test.each([
  ['a,=1+1', "a,'=1+1"],
  ['a;=1+1', "a;'=1+1"],
])('between semicolons %j comes out as %j, also for who reads commas', (cell, expected) => {
  expect(parse(csvRecord([cell], ';'), { recordDelimiter: '\r\n', delimiter: ';' })).toEqual([[expected]]);
});

test('JSON is one array, of none and of several', async () => {
  const [none, two] = [toJsonArray(each()), toJsonArray(each(one(), one()))];
  expect(JSON.parse((await Array.fromAsync(none)).join(''))).toEqual([]);
  expect(JSON.parse((await Array.fromAsync(two)).join(''))).toEqual([INTERACTION, INTERACTION]);
});
