import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { InteractionPage, InteractionQuery } from '../../../events/messages/audit.ts';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { WrittenTables } from './audit-tables.suite.ts';
import { interactionOfRequest } from './interaction.ts';
import { listInteractions, type PageBounds } from './list-interactions.ts';
import { openAuditTables, type AuditTables } from './audit-tables.ts';

type Query = z.input<typeof InteractionQuery>;

const WIDE: PageBounds = { bytes: Infinity, sliceMs: Infinity, pageMs: Infinity };

let folder: string;
let written: WrittenTables;
let tables: AuditTables;

beforeEach(() => {
  folder = temporaryFolder();
  open();
});

afterEach(() => {
  close();
});

function open(name = 'audit.db', options: { redact?: boolean } = {}) {
  written = new WrittenTables(join(folder, name), options);
  tables = openAuditTables(join(folder, name));
}

function close() {
  tables.close();
  written.close();
}

/** The default bounds without a time limit, because on a busy machine a page that ends early has an empty successor. */
const UNHURRIED: PageBounds = { bytes: 700 * 1024, sliceMs: Infinity, pageMs: Infinity };

const page = async (query: Query = {}, bounds = UNHURRIED) =>
  InteractionPage.parse(await listInteractions(tables, InteractionQuery.parse(query), bounds));

const listed = async (query: Query = {}) => (await page(query)).interactions.map((one) => one.request_id);

const at = (second: number) => new Date(Date.UTC(2026, 0, 15, 8, 0, second)).toISOString();

/** The entries of all pages; `between` is called after each page. */
async function walk(query: Query, options: { bounds?: PageBounds; between?: () => void } = {}) {
  const interactions = [];
  let cursor: string | null = null;
  do {
    const read = await page({ ...query, ...(cursor === null ? {} : { cursor }) }, options.bounds);
    interactions.push(...read.interactions);
    cursor = read.next;
    options.between?.();
  } while (cursor !== null);
  return interactions;
}

describe('an interaction', () => {
  test('is the newest answer of its request, with what people said of that', async () => {
    written.answer('r', { at: at(1), question: 'alt?' });
    written.rate('r', 'up', 'gut', at(2));
    written.comment('r', 'zur ersten Antwort', at(3));
    written.answer('other', { at: at(4) });
    written.answer('r', {
      at: at(5),
      question: 'neu?',
      status: 'uncertain',
      verdict: 'implausible',
      conflict_ids: [['A-1', 'B-1']],
    });
    expect((await page()).interactions[0]).toEqual({
      request_id: 'r',
      at: at(5),
      question: 'neu?',
      answer: 'Das gilt [A-1].',
      status: 'uncertain',
      verified: true,
      answer_type: 'specific',
      mode: 'knowledge',
      verdict: 'implausible',
      conflicts: 1,
      citations: ['A-1'],
      model: 'extractive',
      latency_ms: 12,
      answers: 2,
      rating: null,
      comments: [{ comment_id: 1, comment: 'zur ersten Antwort', at: at(3) }],
      erased_at: null,
    });
    expect(await listed()).toEqual(['r', 'other']);
    expect(await listed({ rating: 'up' })).toEqual([]);
    expect(await listed({ feedback: true })).toEqual(['r']);
  });

  test('has the rating that replaced another, and the comments of several people in their order', async () => {
    written.answer('r');
    written.rate('r', 'up', 'gut', at(1));
    written.comment('r', 'eine', at(2));
    written.comment('r', 'andere', at(3));
    written.rate('r', 'down', null, at(4));
    const [interaction] = (await page()).interactions;
    expect(interaction!.rating).toEqual({ rating: 'down', feedback: null, at: at(4) });
    expect(interaction!.comments.map(({ comment_id, comment }) => [comment_id, comment])).toEqual([
      [1, 'eine'],
      [2, 'andere'],
    ]);
    expect(await listed({ rating: 'up' })).toEqual([]);
    expect(await listed({ rating: 'down' })).toEqual(['r']);
  });

  test('keeps ids and figures, and no text, once it is erased', async () => {
    written.answer('r', { question: 'Geheim?' });
    written.rate('r', 'up', 'Geheim');
    written.comment('r', 'Geheim');
    written.erase('r', at(9));
    const [interaction] = (await page()).interactions;
    expect(interaction).toMatchObject({ question: null, answer: null, citations: ['A-1'], erased_at: at(9) });
    expect(interaction!.rating).toMatchObject({ rating: 'up', feedback: null });
    expect(interaction!.comments).toMatchObject([{ comment: null }]);
    expect(await listed({ text: 'geheim' })).toEqual([]);
    expect(await listed({ feedback: true, rating: 'up' })).toEqual(['r']);
  });

  test('has no free text but comments where that is redacted', async () => {
    close();
    open('redacted.db', { redact: true });
    written.answer('r', { question: 'Geheim?' });
    written.rate('r', 'down', 'Geheim');
    written.comment('r', 'Bitte prüfen');
    const [interaction] = (await page()).interactions;
    expect(interaction).toMatchObject({ question: null, answer: null, erased_at: null });
    expect(interaction!.rating).toMatchObject({ rating: 'down', feedback: null });
    expect(interaction!.comments).toMatchObject([{ comment: 'Bitte prüfen' }]);
    expect(await listed({ text: 'PRÜFEN' })).toEqual(['r']);
  });

  test('leaves out the oldest of very many comments, and says how many', () => {
    written.answer('r');
    for (let n = 0; n < 120; n++) written.comment('r', 'ü'.repeat(1_000));
    const { comments, comments_omitted } = interactionOfRequest(tables, 'r')!;
    expect(comments.at(-1)!.comment_id).toBe(120);
    expect(comments_omitted).toBe(120 - comments.length);
    expect(comments.length).toBeGreaterThan(80);
    expect(comments.length).toBeLessThan(100);
  });

  test('is not there for a request that nobody answered', () => {
    expect(interactionOfRequest(tables, 'nobody')).toBeUndefined();
  });
});

describe('filters', () => {
  test('narrow by status, rating, feedback and time, together', async () => {
    written.answer('a', { at: at(1), status: 'refused' });
    written.answer('b', { at: at(2) });
    written.answer('c', { at: at(3), status: 'refused' });
    written.answer('d', { at: at(4), status: 'uncertain' });
    written.rate('a', 'down');
    written.rate('b', 'up');
    written.comment('c', '!');
    expect(await listed()).toEqual(['d', 'c', 'b', 'a']);
    expect(await listed({ status: 'refused' })).toEqual(['c', 'a']);
    expect(await listed({ rating: 'none' })).toEqual(['d', 'c']);
    expect(await listed({ rating: 'none', feedback: true })).toEqual(['c']);
    expect(await listed({ rating: 'down', status: 'refused' })).toEqual(['a']);
    expect(await listed({ feedback: true })).toEqual(['c', 'b', 'a']);
    expect(await listed({ feedback: true, status: 'refused' })).toEqual(['c', 'a']);
    expect(await listed({ from: at(2), to: at(4) })).toEqual(['c', 'b']);
    expect(await listed({ status: 'refused', from: at(2) })).toEqual(['c']);
  });

  test('take a time with any number of digits', async () => {
    written.answer('a', { at: '2026-01-15T08:00:00.000Z' });
    expect(await listed({ from: '2026-01-15T08:00:00Z' })).toEqual(['a']);
    expect(await listed({ to: '2026-01-15T08:00:00Z' })).toEqual([]);
    expect(await listed({ to: '2026-01-15T08:00:00.001Z' })).toEqual(['a']);
  });

  test.each([
    ['question', (text: string) => written.answer('x', { question: text })],
    ['answer', (text: string) => written.answer('x', { answer: text })],
    ['feedback', (text: string) => (written.answer('x'), written.rate('x', 'up', text))],
    ['a comment', (text: string) => (written.answer('x'), written.comment('x', text))],
  ])('find text in the %s, in any case', async (_, write) => {
    written.answer('none');
    write('Ärger über die Straße: 50 % von a_b');
    const meant = ['ärger', 'ÄRGER', 'a\u0308rger', 'STRASSE', 'Straße', 'strasse', '50 %', 'A_B'];
    const others = ['arger', '5%', '50_%', 'a%b', 'aXb', "' OR 1=1 --"];
    const finding = [];
    for (const text of [...meant, ...others]) if ((await listed({ text })).includes('x')) finding.push(text);
    expect(finding).toEqual(meant);
  });

  test('find a request by its id', async () => {
    written.answer('Kunde:7.a');
    written.answer('b');
    expect(await listed({ text: 'kunde:7' })).toEqual(['Kunde:7.a']);
  });
});

describe('pages', () => {
  test.each(['x', '', 'W10', Buffer.from('[1,"2026-01-15T08:00:00.000Z"]').toString('base64url'), '%00'])(
    'refuse %j as a cursor',
    async (cursor) => {
      await expect(page({ cursor })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        errors: [{ path: 'cursor' }],
      });
    },
  );

  test('are not gone on with by a cursor that was changed, or of another list', async () => {
    for (const id of ['ra', 'rb', 'rc']) written.answer(id);
    const { next } = await page({ limit: 1, text: 'r', status: 'answered' });
    const refused = async (query: object, message: RegExp) =>
      expect(page(query)).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        errors: [{ path: 'cursor', message: expect.stringMatching(message) }],
      });
    const same = { text: 'r', status: 'answered' } as const;
    expect((await page({ ...same, cursor: next! })).interactions).toHaveLength(2);
    await refused({ ...same, cursor: `${next} ` }, /unchanged/u);
    await refused({ ...same, status: 'refused', cursor: next }, /other filters/u);
    await refused({ cursor: next }, /other filters/u);
    expect(Buffer.from(next!, 'base64url').toString()).not.toContain('answered');
  });

  test('say that they are the last', async () => {
    expect(await page()).toEqual({ interactions: [], next: null });
    written.answer('a', { at: at(1) });
    written.answer('b', { at: at(2) });
    expect(await page({ limit: 2 })).toMatchObject({ next: null });
    const first = await page({ limit: 1 });
    expect(await page({ limit: 1, cursor: first.next! })).toMatchObject({
      interactions: [{ request_id: 'a' }],
      next: null,
    });
  });

  test('show a request that is answered again in the middle of a walk where it stood, once', async () => {
    written.answer('a', { at: at(1), question: 'erste' });
    written.answer('b', { at: at(2) });
    const first = await page({ limit: 1 });
    written.answer('a', { at: at(3), question: 'zweite' });
    written.answer('b', { at: at(4) });
    expect(await page({ limit: 1, cursor: first.next! })).toMatchObject({
      interactions: [{ request_id: 'a', question: 'erste' }],
      next: null,
    });
    expect(await listed()).toEqual(['b', 'a']);
  });

  test('go on where they were after an erasure has compacted the file', async () => {
    for (let n = 0; n < 6; n++) written.answer(`r${n}`, { at: at(n) });
    const first = await page({ limit: 2 });
    written.answer('r0', { at: at(9) });
    written.erase('r1');
    const db = new DatabaseSync(join(folder, 'audit.db'));
    db.exec('VACUUM');
    db.close();
    const rest = await page({ cursor: first.next! });
    expect(rest.interactions.map((one) => one.request_id)).toEqual(['r3', 'r2', 'r1', 'r0']);
  });

  test('end before they are too long for the bus', async () => {
    for (let n = 0; n < 20; n++) written.answer(`r${n}`, { at: at(n), answer: 'ß'.repeat(50_000) });
    const first = await page();
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(720 * 1024);
    expect(first.interactions).toHaveLength(7);
    expect(await walk({})).toHaveLength(20);
    written.answer('huge', { at: at(30), answer: 'x'.repeat(800_000) });
    expect((await page()).interactions.map((one) => one.request_id)).toEqual(['huge']);
  });

  test('give others their turn while they look for a text, and go out when it takes too long', async () => {
    for (let n = 0; n < 10; n++) written.answer(`r${n}`, { at: at(n) });
    const short = { ...WIDE, sliceMs: 0 };
    let turns = 0;
    const count = setInterval(() => turns++);
    const looking = page({ text: 'nirgends' }, short);
    expect(turns).toBe(0);
    expect(await looking).toEqual({ interactions: [], next: null });
    clearInterval(count);

    const cut = await page({ text: 'r0' }, { ...short, pageMs: 0 });
    expect(cut).toMatchObject({ interactions: [], next: expect.any(String) });
    expect(await walk({ text: 'r0' }, { bounds: { ...short, pageMs: 0 } })).toHaveLength(1);
  });

  test('hold nothing open that would keep erased text in the write-ahead log', async () => {
    for (let n = 0; n < 10; n++) written.answer(`r${n}`, { at: at(n) });
    await page({ limit: 3 });
    await page({ text: 'nirgends' }, { ...WIDE, sliceMs: 0, pageMs: 0 });
    written.erase('r1');
    const db = new DatabaseSync(join(folder, 'audit.db'));
    expect({ ...db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() }).toMatchObject({ busy: 0, log: 0 });
    db.close();
  });

  test('are refused while tables of an older version are replaced', async () => {
    const db = new DatabaseSync(join(folder, 'audit.db'));
    db.exec('UPDATE projections SET version = 1');
    db.close();
    await expect(page()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 5 });
  });
});
