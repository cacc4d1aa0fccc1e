import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { InteractionQuery } from '../../../events/messages/audit.ts';
import { sharedFolder } from '../../../events/temporary-folder.suite.ts';
import { WrittenTables } from './audit-tables.suite.ts';
import { caseFold, openAuditTables, type AuditTables } from './audit-tables.ts';
import type { Interaction } from './interaction.ts';
import { listInteractions } from './list-interactions.ts';

type Query = z.input<typeof InteractionQuery>;

/** An answer with immediate feedback. */
interface Written {
  readonly request: number;
  readonly second: number;
  readonly status: 'answered' | 'refused' | 'uncertain';
  readonly question: string;
  readonly rating: 'up' | 'down' | null;
  readonly feedback: string | null;
  readonly comment: string | null;
}

const at = (second: number) => new Date(Date.UTC(2026, 0, 15, 8, 0, second)).toISOString();

const Status = fc.constantFrom('answered', 'refused', 'uncertain');
const Word = fc.constantFrom('Öl', 'öl', 'Maß', 'MASS', '%', 'x');
const WrittenAnswer: fc.Arbitrary<Written> = fc.record({
  request: fc.integer({ min: 0, max: 9 }),
  second: fc.integer({ min: 0, max: 5 }),
  status: Status,
  question: Word,
  rating: fc.option(fc.constantFrom('up', 'down')),
  feedback: fc.option(Word),
  comment: fc.option(Word, { freq: 2 }),
});
/** Usually absent, because filters without a match have no pages. */
const sometimes = <T>(filter: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: filter });
const Filters = fc
  .record({
    status: sometimes(Status),
    rating: sometimes(fc.constantFrom('up', 'down', 'none')),
    feedback: sometimes(fc.constant(true)),
    from: sometimes(fc.integer({ min: 0, max: 5 }).map(at)),
    to: sometimes(fc.integer({ min: 0, max: 6 }).map(at)),
    text: sometimes(Word),
  })
  .map((filters) => Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)));

const folder = sharedFolder();
let written: WrittenTables;
let tables: AuditTables;

beforeAll(() => {
  const file = join(folder, 'audit.db');
  written = new WrittenTables(file);
  tables = openAuditTables(file);
});

afterAll(() => {
  tables.close();
  written.close();
});

function write({ request, second, status, question, rating, feedback, comment }: Written): void {
  const id = `r${request}`;
  written.answer(id, { at: at(second), status, question });
  if (rating !== null) written.rate(id, rating, feedback);
  if (comment !== null) written.comment(id, comment);
}

/** The entries of all pages; `between` is called after each page. */
async function walk(query: Query, sliceMs: number, between = () => {}): Promise<Interaction[]> {
  const interactions: Interaction[] = [];
  let cursor: string | null = null;
  do {
    const sent = InteractionQuery.parse({ ...query, ...(cursor === null ? {} : { cursor }) });
    const page = await listInteractions(tables, sent, { bytes: Infinity, sliceMs, pageMs: Infinity });
    interactions.push(...page.interactions);
    cursor = page.next;
    between();
  } while (cursor !== null);
  return interactions;
}

/** Without the fields that a further answer changes. */
const asFound = (one: Interaction) => ({ ...one, answers: 1 });

/** The requests that are meant, without SQL: by time, newest first, in no order within a second. */
function meant(answers: readonly Written[], { status, rating, feedback, from, to, text = '' }: Query) {
  const found = [...Map.groupBy(answers, ({ request }) => request)].filter(([request, of]) => {
    const newest = of.at(-1)!;
    const comments = of.flatMap(({ comment }) => comment ?? []);
    const said = newest.rating === null ? null : newest.feedback;
    const texts = [`r${request}`, newest.question, said ?? '', ...comments];
    return (
      (status === undefined || newest.status === status) &&
      (rating === undefined || (newest.rating ?? 'none') === rating) &&
      (feedback === undefined || newest.rating !== null || comments.length > 0) &&
      (from === undefined || at(newest.second) >= from) &&
      (to === undefined || at(newest.second) < to) &&
      texts.some((part) => caseFold(part).includes(caseFold(text)))
    );
  });
  return found.map(([request, of]) => `${at(of.at(-1)!.second)} r${request}`);
}

test('pages are together what one query gives, with any filter, while answers are added', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(WrittenAnswer, { maxLength: 25 }),
      fc.array(WrittenAnswer, { minLength: 5, maxLength: 10 }),
      Filters,
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom(0, Infinity),
      async (before, meanwhile, filters, limit, sliceMs) => {
        written.clear();
        for (const answer of before) write(answer);
        const whole = await walk({ ...filters, limit: 200 }, Infinity);
        const listed = whole.map(({ at, request_id }) => `${at} ${request_id}`);
        expect(listed.toSorted()).toEqual(meant(before, filters).toSorted());
        expect(whole.map((one) => one.at)).toEqual(
          listed
            .toSorted()
            .reverse()
            .map((one) => one.split(' ')[0]),
        );

        // Answers alone: what people say of older ones meanwhile is shown, and may change what a filter finds.
        const later = [...meanwhile];
        const walked = await walk({ ...filters, limit }, sliceMs, () => {
          const answer = later.shift();
          if (answer !== undefined) write({ ...answer, rating: null, comment: null });
        });
        expect(walked.map(asFound)).toEqual(whole.map(asFound));
      },
    ),
    { numRuns: 150 },
  );
});
