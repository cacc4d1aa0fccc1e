import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { ERASURES_STREAM, ErasureRequested } from '../../../events/catalog/audit.ts';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { AnswerRated, COMMENTS_STREAM, CommentRecorded } from '../../../events/catalog/feedback.ts';
import { AnswerGiven, askStream, QuestionAsked } from '../../../events/catalog/knowledge.ts';
import { createCodec, type DomainEvent } from '../../../events/define.ts';
import { startProjection, type ProjectionRunner } from '../../../events/projections/runner.ts';
import { openEmbeddedStore } from '../../../events/store/embedded/embedded.ts';
import type { EventStore, Position } from '../../../events/store/store.ts';
import { openSqliteVault } from '../../../events/vault/sqlite.ts';
import type { Vault } from '../../../events/vault/vault.ts';
import { appendAtEnd } from '../../foundation/streams/append-at-end.suite.ts';
import { noAuditLines } from '../../foundation/audit-lines.ts';
import { auditProjection } from '../projection.ts';
import { openEraser, type Eraser } from './eraser.ts';

/** Text that a search finds again, in whole or in part: its mark, over and over. */
function textOf(mark: string, length: number): string {
  return `${mark} `.repeat(Math.ceil(length / (mark.length + 1)));
}

/** The mark of one text of one request: with letters that are written in several ways. */
const markOf = (requestId: string, what: string): string => `»${what}-Kürzung-${requestId}«`;

function causeOf(requestId: string, stream: string, at = '2026-01-01T08:00:00.000Z') {
  return { stream, at, correlationId: requestId, causationId: randomUUID(), key: requestId };
}

function questionOf(requestId: string, length = 100, at?: string) {
  const text = (what: string) => textOf(markOf(requestId, what), length);
  return QuestionAsked.create(
    {
      request_id: requestId,
      question: text('question'),
      language: 'de',
      mode: 'knowledge',
      top_k: 8,
      context: text('context'),
    },
    causeOf(requestId, askStream(requestId), at),
  );
}

function answerOf(requestId: string, length = 100, at?: string) {
  const text = (what: string) => textOf(markOf(requestId, what), length);
  return AnswerGiven.create(
    {
      request_id: requestId,
      status: 'answered',
      verified: true,
      answer_type: 'specific',
      question: text('question'),
      answer: text('answer'),
      citations: ['URL-1'],
      sources: [
        {
          id: 'URL-1',
          title: text('title'),
          section: '§ 3',
          stand: '2021-07',
          work: 'BUrlG',
        },
      ],
      conflicts: [{ text: text('conflict'), source_ids: ['URL-1'] }],
      conflict_ids: [['URL-1']],
      clarification_question: text('clarification'),
      planned_queries: [text('query')],
      parts: [{ text: text('part'), covered: true, source_ids: [] }],
      verdict: null,
      checks: null,
      relevance: 0.9,
      not_checked: null,
      mode: 'knowledge',
      model: 'm',
      n_context: 1,
      regenerations: 0,
      latency_ms: 7,
    },
    causeOf(requestId, askStream(requestId), at),
  );
}

export function ratingOf(requestId: string, length = 100) {
  const feedback = textOf(markOf(requestId, 'feedback'), length).slice(0, 1000);
  return AnswerRated.create(
    { request_id: requestId, rating: 'up', feedback, updated: false },
    causeOf(requestId, askStream(requestId)),
  );
}

export function commentOf(requestId: string, length = 100, at?: string) {
  const comment = textOf(markOf(requestId, 'comment'), length).slice(0, 2000);
  return CommentRecorded.create({ request_id: requestId, comment }, causeOf(requestId, COMMENTS_STREAM, at));
}

export function requestOf(requestId: string) {
  return ErasureRequested.create(
    { request_id: requestId, reason: 'consent withdrawn', by: 'operator' },
    causeOf(requestId, ERASURES_STREAM),
  );
}

/** The files below a folder, with their bytes. */
function readFiles(folder: string): { name: string; bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => ({ name, bytes: readFileSync(join(parentPath, name)) }));
}

/** The files below a folder that hold these bytes. */
export function filesHolding(folder: string, wanted: Buffer): string[] {
  return readFiles(folder)
    .filter(({ bytes }) => bytes.includes(wanted))
    .map(({ name }) => name);
}

/** The middle part of a mark in all encodings: UTF-8, UTF-16, JSON with escaped umlauts. */
const TELLTALES = [
  { bytes: Buffer.from('rzung-'), encoding: 'latin1' },
  { bytes: Buffer.from('rzung-', 'utf16le'), encoding: 'utf16le' },
] as const;

/** The requests of which these bytes have any text, or a part as long as its mark. */
function requestsIn(bytes: Buffer): Set<string> {
  const found = new Set<string>();
  for (const { bytes: telltale, encoding } of TELLTALES) {
    for (let at = bytes.indexOf(telltale); at !== -1; at = bytes.indexOf(telltale, at + 1)) {
      const from = at + telltale.length;
      const id = /^([\w.-]+)(?:Â?«|\\u00ab)/i.exec(bytes.toString(encoding, from, from + 64))?.[1];
      if (id !== undefined) found.add(id);
    }
  }
  return found;
}

/** The files below a folder in which any text of these requests stands. */
function filesWithTextOf(folder: string, requestIds: readonly string[]): string[] {
  return readFiles(folder)
    .filter(({ bytes }) => !requestsIn(bytes).isDisjointFrom(new Set(requestIds)))
    .map(({ name }) => name);
}

/** A record, its keys, its tables and what erases, in a folder of their own. */
export class ErasurePlace {
  readonly folder: string;
  readonly file: string;
  store!: EventStore;
  vault!: Vault;
  projection!: ProjectionRunner;
  now = (): Date => new Date('2026-03-01T08:00:00.000Z');
  #erasers: Eraser[] = [];

  private constructor(folder: string) {
    this.folder = folder;
    this.file = join(folder, 'audit.db');
  }

  /** A new one, or what an earlier process has left. */
  static async open(folder = mkdtempSync(join(tmpdir(), 'beleg-erasure-'))): Promise<ErasurePlace> {
    const place = new ErasurePlace(folder);
    await place.start();
    return place;
  }

  async start(): Promise<void> {
    this.store = await openEmbeddedStore({ file: join(this.folder, 'events.db') });
    this.vault = await openSqliteVault({ file: join(this.folder, 'keys.db') });
    this.projection = startProjection({
      store: this.store,
      codec: this.codec,
      projection: auditProjection,
      file: this.file,
      retryAfterMs: 10,
    });
  }

  async stop(): Promise<void> {
    for (const eraser of this.#erasers.splice(0)) await eraser.close();
    await this.projection.stop();
    await this.store.close();
    await this.vault.close();
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }

  get codec() {
    return createCodec(CATALOG, this.vault);
  }

  eraser(changes: Partial<Parameters<typeof openEraser>[0]> = {}): Eraser {
    const eraser = openEraser({
      store: this.store,
      vault: this.vault,
      codec: this.codec,
      projection: this.projection,
      file: this.file,
      lines: noAuditLines,
      logger: pino({ level: 'silent' }),
      now: () => this.now(),
      retryMs: 10,
      ...changes,
    });
    this.#erasers.push(eraser);
    return eraser;
  }

  /** A question with its answer, as they are recorded. */
  answer(requestId: string, length?: number, at?: string): Promise<Position> {
    return this.append(questionOf(requestId, length, at), answerOf(requestId, length, at));
  }

  /** A question without one: a fault broke it off. */
  ask(requestId: string): Promise<Position> {
    return this.append(questionOf(requestId, 1));
  }

  rate(requestId: string, length?: number): Promise<Position> {
    return this.append(ratingOf(requestId, length));
  }

  comment(requestId: string, length?: number, at?: string): Promise<Position> {
    return this.append(commentOf(requestId, length, at));
  }

  /** An event for the store, now or later. */
  async seal(event: DomainEvent<string, unknown>) {
    return { stream: event.stream, event: await this.codec.encode(event) };
  }

  async append(...events: DomainEvent<string, unknown>[]): Promise<Position> {
    const encoded = await Promise.all(events.map((event) => this.codec.encode(event)));
    const { stream } = events[0]!;
    const { position } = await appendAtEnd(this.store, stream, encoded);
    return position;
  }

  /** Erases at an operator's request. */
  erase(eraser: Eraser, requestId: string, reason = 'consent withdrawn') {
    return eraser.erase({
      request_id: requestId,
      reason,
      by: 'operator',
      call: { correlationId: 'operator-1', callId: randomUUID() },
    });
  }

  /** `ErasureRequested r`, `TextErased r` … as they are on record. */
  async erasures(): Promise<string[]> {
    const found: string[] = [];
    for await (const { type, data } of this.store.readStream(ERASURES_STREAM)) {
      found.push(`${type} ${(data as { request_id: string }).request_id}`);
    }
    return found;
  }

  rows(sql: string, file = this.file): Record<string, unknown>[] {
    using db = new DatabaseSync(file, { readOnly: true, timeout: 2000 });
    return db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  }

  /** The files in which any text of these requests can be found. */
  filesOf(...requestIds: string[]): string[] {
    return filesWithTextOf(this.folder, requestIds);
  }

  /** The raw key of a request. */
  keyOf(requestId: string): Buffer {
    const db = new DatabaseSync(join(this.folder, 'keys.db'), { readOnly: true });
    const row = db.prepare('SELECT key FROM keys WHERE name = ?').get(requestId);
    db.close();
    return Buffer.from(row!['key'] as Uint8Array);
  }
}
