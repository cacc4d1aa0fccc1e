import { existsSync } from 'node:fs';
import { mkdtemp, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verdictOf, type Check } from '../../actors/review/check.ts';
import { hitsInForce, lastYearOf, reviewQueries } from '../../actors/review/queries.ts';
import { review } from '../../actors/review/review.ts';
import { parseSection, renderSection } from '../../actors/review/section.ts';
import { importStatutes } from '../../kb/import/import.ts';
import type { Hit, KnowledgeIndex } from '../../kb/knowledge.ts';
import { openKnowledge } from '../../kb/open.ts';
import { STARTER_BASE } from '../config.ts';
import { HELD_OUT_CASES, REVIEW_CASES, type ReviewCase } from './review-cases.ts';

/** Statutes that others laid beside the project; without them the cases over statutes are skipped. */
const SHARED = join(import.meta.dirname, '../../../shared');
const STATUTES = [
  'burlg',
  'entgfg',
  'estg',
  'jarbschg',
  'milog',
  'milov3',
  'sgb_4',
  'svbezgrv_2020',
  'svbezgrv_2021',
  'svbezgrv_2022',
];
const MORE_STATUTES = ['bgb', 'sgb_5'];
const haveStatutes = existsSync(join(SHARED, 'statutes')) && existsSync(join(SHARED, 'statutes-more'));
/** Of the long ones a part: the rest would cost the test its seconds. */
const PARTS: Readonly<Record<string, RegExp>> = {
  BGB: /-6[12]\d/,
  EStG: /-(?:3b?|4\d\w?)\.md/,
  SGB4: /-\d{1,2}\w?\./,
  SGB5: /-2[24]\d/,
};

const TOP_K = 8;
let work: string;
const bases: Partial<Record<ReviewCase['base'], KnowledgeIndex>> = {};

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'review-'));
  bases.starter = (await openKnowledge({ folder: STARTER_BASE, snapshotDir: null })).index;
  if (haveStatutes)
    bases.statutes = (await openKnowledge({ folder: await statutes(), snapshotDir: null })).index;
});

afterAll(() => rm(work, { recursive: true, force: true }));

async function statutes(): Promise<string> {
  const out = join(work, 'statutes');
  await mkdir(out);
  const inputs = [
    ...STATUTES.map((name) => join(SHARED, 'statutes', `${name}.md`)),
    ...MORE_STATUTES.map((name) => join(SHARED, 'statutes-more', `${name}.md`)),
  ];
  await importStatutes({ inputs, out, synonymsFile: join(STARTER_BASE, 'synonyms.txt') });
  for (const [name, part] of Object.entries(PARTS)) {
    const files = await readdir(join(out, name));
    await Promise.all(files.filter((file) => !part.test(file)).map((file) => rm(join(out, name, file))));
  }
  return out;
}

async function reviewed({
  base,
  question,
  context,
}: ReviewCase): Promise<{ checks: Check[]; ids: string[] }> {
  const index = bases[base]!;
  const queries = [question, ...reviewQueries(question, context)];
  const lists = await Promise.all(
    queries.map((query) => index.search(query, { topK: TOP_K, forFact: true })),
  );
  const found = new Map<string, Hit>(lists.flat().map((hit) => [hit.source.id, hit]));
  const { hits } = hitsInForce(question, context, [...found.values()]);
  const checks = review({ question, context, hits, language: 'de', lastYear: lastYearOf(index.sources) });
  return { checks, ids: hits.map(({ source }) => source.id) };
}

const citesOneOf =
  (sources: readonly string[]) =>
  (ids: readonly string[]): boolean =>
    sources.length === 0 ? ids.length === 0 : ids.length === 1 && sources.includes(ids[0]!);

const bare = ({ status, aspect, source_ids }: Check) => ({ status, aspect, source_ids });

describe.each([
  ['cases', REVIEW_CASES],
  ['cases held out', HELD_OUT_CASES],
])('%s', (_, cases) => {
  test.for(cases)('$name', async (each, { skip }) => {
    skip(bases[each.base] === undefined, 'no statutes beside the project');
    const { checks, ids } = await reviewed(each);
    expect(checks.map(bare)).toEqual(
      each.checks.map(({ status, aspect, sources }) => ({
        status,
        aspect: expect.stringContaining(aspect),
        source_ids: expect.toSatisfy(citesOneOf(sources)),
      })),
    );
    expect(verdictOf(checks)).toBe(each.verdict);
    // What the section says is what the checks were.
    expect(parseSection(`Antwort.\n\n${renderSection(checks, 'de')}`, (id) => ids.includes(id))).toEqual(
      checks,
    );
  });
});

test('the cases are enough, and of each verdict', () => {
  const verdicts = [...REVIEW_CASES, ...HELD_OUT_CASES].map(({ verdict }) => verdict);
  expect(verdicts.length).toBeGreaterThanOrEqual(40);
  for (const verdict of ['plausible', 'implausible', 'not_checkable'] as const) {
    expect(verdicts.filter((each) => each === verdict).length).toBeGreaterThanOrEqual(13);
  }
});
