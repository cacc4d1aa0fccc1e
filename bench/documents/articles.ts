/**
 * Main content of HTML pages against the truth of scrapinghub/article-extraction-benchmark, which stands outside the project:
 * `node bench/documents/articles.ts FOLDER`. The metric is that of its `evaluate.py`: precision and recall of shingles of four words.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { html } from '../../kb/documents/html.ts';
import { Unreadable, type Document, type Unit } from '../../kb/documents/unit.ts';

interface Score {
  readonly precision: number | undefined;
  readonly recall: number | undefined;
}

function shingles(text: string): Map<string, number> {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const counts = new Map<string, number>();
  for (let i = 0; i < Math.max(1, words.length - 3); i++) {
    const shingle = words.slice(i, i + 4).join(' ');
    if (shingle !== '') counts.set(shingle, (counts.get(shingle) ?? 0) + 1);
  }
  return counts;
}

const sum = (counts: Map<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);

function scoreOf(truth: string, told: string): Score {
  const expected = shingles(truth);
  const found = shingles(told);
  let right = 0;
  for (const [shingle, count] of expected) right += Math.min(count, found.get(shingle) ?? 0);
  return {
    precision: sum(found) === 0 ? undefined : right / sum(found),
    recall: sum(expected) === 0 ? undefined : right / sum(expected),
  };
}

const textOf = (unit: Unit): string =>
  unit.kind === 'row'
    ? unit.cells.map(({ text }) => text).join(' ')
    : unit.kind === 'definition'
      ? `${unit.term} ${unit.text}`
      : unit.text;

/** The truth has no headlines. */
const bodyOf = ({ units, title }: Document): string =>
  units
    .filter((unit) => !(unit.kind === 'heading' && (unit.level === 1 || unit.text === title)))
    .map(textOf)
    .join('\n');

const folder = process.argv[2]!;
const truth = JSON.parse(readFileSync(join(folder, 'ground-truth.json'), 'utf8')) as Record<
  string,
  { articleBody: string; url: string }
>;
const scores: (Score & { id: string; url: string })[] = [];
const begin = performance.now();
for (const [id, { articleBody, url }] of Object.entries(truth)) {
  let told = '';
  try {
    told = bodyOf(
      await html.parse(gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`))), `${id}.html`),
    );
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
  scores.push({ id, url, ...scoreOf(articleBody, told) });
}
const mean = (values: readonly (number | undefined)[]): number => {
  const known = values.filter((value) => value !== undefined);
  return known.reduce((a, b) => a + b, 0) / known.length;
};
const precision = mean(scores.map((score) => score.precision));
const recall = mean(scores.map((score) => score.recall));
const f = (2 * precision * recall) / (precision + recall);
const worst = scores
  .sort((a, b) => (a.precision ?? 0) + (a.recall ?? 0) - (b.precision ?? 0) - (b.recall ?? 0))
  .slice(0, Number(process.argv[3] ?? 0));
for (const { id, url, precision, recall } of worst)
  process.stdout.write(
    `${id.slice(0, 8)} precision ${precision?.toFixed(3)} recall ${recall?.toFixed(3)} ${url}\n`,
  );
process.stdout.write(
  `${scores.length} pages: F ${f.toFixed(3)}, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, ${((performance.now() - begin) / 1000).toFixed(1)} s\n`,
);
