/**
 * Cells as the sheet displays them, against the tables that stand beside workbooks outside the project:
 * `node bench/documents/sheets.ts FOLDER`, where the sheet of `x.xlsx` with index 0 is in `x.xlsx.0.csv`.
 */
import { parse } from 'csv-parse/sync';
import { existsSync, globSync, readFileSync } from 'node:fs';

import { OfficePackage } from '../../kb/documents/office-package.ts';
import { Unreadable } from '../../kb/documents/unit.ts';
import { readWorkbook } from '../../kb/documents/xlsx.ts';

const squeezed = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

let files = 0;
let cells = 0;
let right = 0;
let figures = 0;
let rightFigures = 0;
const wrong = new Map<string, string[]>();
for (const path of globSync(`${process.argv[2]!}/**/*.xlsx`).sort()) {
  if (!existsSync(`${path}.0.csv`)) continue;
  files++;
  try {
    const { sheets, leftOut } = readWorkbook(new OfficePackage(readFileSync(path)));
    if (Object.keys(leftOut).length > 0) {
      process.stdout.write(`${path} has hidden parts, which the table beside it shows\n`);
      continue;
    }
    for (const [index, { rows }] of sheets.entries()) {
      if (!existsSync(`${path}.${index}.csv`)) continue;
      const displayed = new Map<string, number>();
      for (const cell of rows.flat()) displayed.set(cell, (displayed.get(cell) ?? 0) + 1);
      const truth = parse(readFileSync(`${path}.${index}.csv`), {
        relax_column_count: true,
        relax_quotes: true,
        bom: true,
      });
      for (const cell of truth.flat().map(squeezed)) {
        // A column that was too narrow when the table was written shows `####`, which is no text of the sheet.
        if (/^[#_]*$/u.test(cell)) continue;
        const isFigure = /\d/u.test(cell);
        cells++;
        if (isFigure) figures++;
        const left = displayed.get(cell) ?? 0;
        if (left > 0) {
          displayed.set(cell, left - 1);
          right++;
          if (isFigure) rightFigures++;
        } else wrong.set(path, [...(wrong.get(path) ?? []), cell]);
      }
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    process.stdout.write(`${path} ${error.message}\n`);
  }
}
for (const [path, missing] of wrong)
  process.stdout.write(`${path}: ${missing.length}: ${missing.slice(0, 6).join(' | ').slice(0, 160)}\n`);
process.stdout.write(
  `${files} workbooks: ${right} of ${cells} cells as displayed, ${rightFigures} of ${figures} with figures\n`,
);
