import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { InteractionPage, InteractionQuery } from '../../../events/messages/audit.ts';
import type { Row } from '../../../events/projections/projection.ts';
import { caseFold, type AuditTables, type Values } from './audit-tables.ts';
import { bytesOf, interactionOfAnswer, type Interaction } from './interaction.ts';
import { BelegError } from '../../../events/errors.ts';
import { deterministicId, readJson } from '../../../events/json.ts';

/** The limits of one page. */
export interface PageBounds {
  /** The most bytes of JSON: a message on the bus has 1 MiB. A single longer answer is a page of its own. */
  readonly bytes: number;
  /** Milliseconds for which the query may block the event loop. */
  readonly sliceMs: number;
  /** Milliseconds after which a page is returned with the entries found so far. */
  readonly pageMs: number;
}

const BOUNDS: PageBounds = { bytes: 700 * 1024, sliceMs: 10, pageMs: 2_000 };

type Query = z.output<typeof InteractionQuery>;
type Page = z.output<typeof InteractionPage>;

/**
 * One page of answers, newest first. A client that follows the pages sees each request once, with the answer that was
 * its newest at the first page, however many arrive meanwhile; ratings and comments are the present ones.
 *
 * @throws {BelegError} `INVALID_REQUEST` on `cursor`; `SERVICE_UNAVAILABLE`, `STORE_UNAVAILABLE` of the tables.
 */
export async function listInteractions(
  tables: AuditTables,
  query: Query,
  bounds: PageBounds = BOUNDS,
): Promise<Page> {
  const interactions: Interaction[] = [];
  let bytes = 0;
  let place: Place =
    query.cursor === undefined
      ? { seen: tables.read(() => newestRow(tables)), after: null }
      : readCursor(query.cursor, filtersOf(query));

  /** Returns false if there is no more space. */
  const add = (answerId: string): boolean => {
    const isFull = interactions.length === query.limit;
    const interaction = isFull ? undefined : interactionOfAnswer(tables, answerId);
    if (interaction === undefined) return false;
    bytes += bytesOf(interaction);
    if (bytes > bounds.bytes && interactions.length > 0) return false;
    interactions.push(interaction);
    return true;
  };

  /** Reads answers in order for the length of a slice. */
  const fill = (): 'slice is over' | 'no more room' | 'all seen' => {
    const until = performance.now() + bounds.sliceMs;
    for (const row of candidates(tables, query, place)) {
      const [at, answerId] = [row['at'] as string, row['answer_id'] as string];
      if (row['found'] === 1 && !add(answerId)) return 'no more room';
      place = { ...place, after: { at, answerId } };
      if (performance.now() >= until) return 'slice is over';
    }
    return 'all seen';
  };

  const until = performance.now() + bounds.pageMs;
  let step = tables.read(fill);
  while (step === 'slice is over' && interactions.length < query.limit && performance.now() < until) {
    await setImmediate();
    step = tables.read(fill);
  }
  return { interactions, next: step === 'all seen' ? null : writeCursor(place, filtersOf(query)) };
}

/** Rows are added in the order of the record and never removed, so rows up to a number never change. */
function newestRow(tables: AuditTables): number {
  return (tables.get('SELECT max(rowid) AS row FROM interactions', {})?.['row'] ?? 0) as number;
}

/**
 * All candidates in order; `found` says whether one matches. One filter selects the index; the others only decide about
 * `found`, so that rows keep coming and a slice can end even if few match.
 */
function candidates(tables: AuditTables, query: Query, { seen, after }: Place): Iterable<Row> {
  const { index, condition } = indexFor(query);
  const along = [condition];
  const found: string[] = [];
  const values: Values = { seen };
  if (after !== null) {
    along.push('(at, answer_id) < (:afterAt, :afterId)');
    Object.assign(values, { afterAt: after.at, afterId: after.answerId });
  }
  if (query.from !== undefined) {
    along.push('at >= :from');
    values['from'] = momentOf(query.from);
  }
  if (query.to !== undefined) {
    along.push('at < :to');
    values['to'] = momentOf(query.to);
  }
  if (query.rating === 'up' || query.rating === 'down') values['rating'] = query.rating;
  if (query.status !== undefined) {
    found.push('status = :status');
    values['status'] = query.status;
  }
  if (query.rating === 'none') found.push('rating IS NULL');
  if (query.feedback === true) found.push('has_feedback = 1');
  if (query.text !== undefined) {
    found.push(MENTIONED);
    values['text'] = caseFold(query.text);
  }
  // CASE evaluates the expensive tests only if the cheap ones hold.
  const tests = [NEWEST, ...found].map((test) => `WHEN NOT (${test}) THEN 0`);
  return tables.rows(
    `SELECT at, answer_id, CASE ${tests.join(' ')} ELSE 1 END AS found
     FROM interactions AS given INDEXED BY ${index}
     WHERE ${along.join(' AND ')} ORDER BY at DESC, answer_id DESC`,
    values,
  );
}

/** The filter that usually leaves the fewest rows. */
function indexFor({ rating, feedback, status }: Query): { index: string; condition: string } {
  if (rating === 'up' || rating === 'down') {
    return { index: 'interactions_by_rating', condition: 'rating = :rating' };
  }
  if (feedback === true) return { index: 'interactions_with_feedback', condition: 'has_feedback = 1' };
  if (status !== undefined) return { index: 'interactions_by_status', condition: 'status = :status' };
  if (rating === 'none') return { index: 'interactions_by_rating', condition: 'rating IS NULL' };
  return { index: 'interactions_by_time', condition: 'TRUE' };
}

/**
 * Selects the newest interaction of its request among the rows of this walk. The condition names both values of
 * `newest`, so that the index is used up to `rowid`.
 */
const NEWEST = `rowid <= :seen AND (newest = 1 OR NOT EXISTS (
  SELECT 1 FROM interactions AS later
  WHERE later.request_id = given.request_id AND later.newest IN (0, 1)
    AND later.rowid > given.rowid AND later.rowid <= :seen))`;

const MENTIONED = `mentions(request_id, :text) OR mentions(question, :text) OR mentions(answer, :text)
  OR EXISTS (SELECT 1 FROM ratings WHERE ratings.answer_id = given.answer_id AND mentions(feedback, :text))
  OR EXISTS (SELECT 1 FROM comments WHERE comments.request_id = given.request_id AND mentions(comment, :text))`;

/** A time as the tables have it. Times are compared as text, so all have the same number of digits. */
function momentOf(time: string): string {
  return new Date(time).toISOString();
}

/** The position of a walk from page to page, and the rows that belong to it. */
interface Place {
  /** The newest row when the walk began: later rows do not belong to it. */
  readonly seen: number;
  /** The last answer that was looked at; `null` before the first. */
  readonly after: { readonly at: string; readonly answerId: string } | null;
}

const Cursor = z.tuple([z.int().nonnegative(), z.iso.datetime(), z.guid(), z.string()]);

/** Encodes a cursor, which is opaque to the caller. It is null if there are no more answers. */
function writeCursor({ seen, after }: Place, filters: string): string | null {
  if (after === null) return null;
  return Buffer.from(JSON.stringify([seen, after.at, after.answerId, filters])).toString('base64url');
}

/** A hash of a walk's filters, which does not reveal the searched text. */
function filtersOf({ limit: _limit, cursor: _cursor, ...filters }: Query): string {
  return deterministicId(JSON.stringify(filters)).slice(0, 8);
}

/**
 * Decodes a cursor.
 *
 * @throws {BelegError} `INVALID_REQUEST` on `cursor`.
 */
function readCursor(cursor: string, filters: string): Place {
  const bytes = Buffer.from(cursor, 'base64url');
  // `Buffer` ignores characters that are no base64.
  const parsed = bytes.toString('base64url') === cursor ? readJson(Cursor, bytes.toString()) : undefined;
  if (parsed === undefined) throw wrongCursor('Must be the value of `next` from an earlier page, unchanged');
  const [seen, at, answerId, theirs] = parsed;
  if (theirs !== filters) {
    throw wrongCursor('Is of a list with other filters: send the same ones with it, or no cursor');
  }
  return { seen, after: { at, answerId } };
}

const wrongCursor = (message: string): BelegError =>
  new BelegError('INVALID_REQUEST', { errors: [{ path: 'cursor', message }] });
