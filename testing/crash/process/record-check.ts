import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import type { AccountEvent, AskEvent, CommentEvent } from '../../../events/catalog/catalog.ts';
import { COMMENTS_STREAM } from '../../../events/catalog/feedback.ts';
import { askStream } from '../../../events/catalog/knowledge.ts';
import { accountStream } from '../../../events/catalog/trading.ts';
import { startProjection } from '../../../events/projections/runner.ts';
import { verifyChain } from '../../../events/proof/verify-stream.ts';
import type { RecordedEvent } from '../../../events/store/store.ts';
import { BytesOfFile } from '../../../kb/snapshot/stored-bytes.ts';
import { hashOfSnapshot } from '../../../kb/snapshot/snapshot.ts';
import { auditProjection } from '../../../services/audit/projection.ts';
import { readSettings } from '../../../services/composition/settings.ts';
import type { Environment } from '../../../services/foundation/settings-error.ts';
import { openRuntime, type Runtime } from '../../../services/composition/runtime.ts';
import { readTradingRecord } from '../../../services/trading/record-check.suite.ts';
import type { Acknowledged } from './load.ts';

/** Reads the whole record as the next start would find it, and returns all faults. */
export async function checkRecord(
  environment: Environment,
  acknowledged: Acknowledged,
  { atRest = false } = {},
): Promise<string[]> {
  const settings = readSettings(environment);
  const runtime = await openRuntime(settings, pino({ level: 'silent' }));
  try {
    const streams = new Map<string, RecordedEvent[]>();
    for await (const event of runtime.store.readAll()) {
      const events = streams.get(event.stream) ?? [];
      events.push(event);
      streams.set(event.stream, events);
    }
    return [
      ...(await checkChains(runtime, [...streams.keys()])),
      ...(await checkAcknowledged(runtime, streams, acknowledged)),
      ...checkKeys(settings.dataDir, [...streams.values()].flat()),
      ...(await checkProjection(runtime, settings.audit.dbPath, [...streams.values()].flat())),
      ...(atRest ? (await readTradingRecord(runtime.store, runtime.codec, ACCOUNT)).faults : []),
      ...(await checkSnapshots(join(settings.dataDir, 'index'))),
    ];
  } finally {
    await runtime.close();
  }
}

const ACCOUNT = 'main';

async function checkChains(runtime: Runtime, streams: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const stream of streams) {
    const report = await verifyChain(stream, runtime.store.readStream(stream));
    for (const fault of report.faults) faults.push(`chain of ${stream}: ${fault.kind}`);
  }
  return faults;
}

/** Acknowledged facts exist exactly once and are readable; others at most once. */
async function checkAcknowledged(
  runtime: Runtime,
  streams: ReadonlyMap<string, readonly RecordedEvent[]>,
  acknowledged: Acknowledged,
): Promise<string[]> {
  const faults: string[] = [];
  const decode = async <E>(stream: string): Promise<E[]> =>
    Promise.all((streams.get(stream) ?? []).map(async (event) => (await runtime.codec.decode(event)) as E));

  for (const [requestId, count] of acknowledged.answers) {
    const answers = (await decode<AskEvent>(askStream(requestId))).filter(
      ({ type }) => type === 'AnswerGiven',
    );
    const calls = new Set(answers.map((answer) => answer.metadata.$causationId));
    if (answers.length < count)
      faults.push(`answer of ${requestId}: ${answers.length} of ${count} on record`);
    if (calls.size !== answers.length) faults.push(`answer of ${requestId}: recorded twice`);
  }

  const feedback = new Map<string, number>();
  for (const requestId of acknowledged.answers.keys()) {
    for (const event of await decode<AskEvent>(askStream(requestId))) {
      if (event.type !== 'AnswerRated' || event.data.feedback === null) continue;
      feedback.set(event.data.feedback, (feedback.get(event.data.feedback) ?? 0) + 1);
    }
  }
  for (const text of acknowledged.ratings.keys()) {
    if (!feedback.has(text)) faults.push(`rating ${text}: lost`);
  }
  for (const [text, count] of feedback) if (count !== 1) faults.push(`rating ${text}: ${count} times`);

  const comments = await decode<CommentEvent>(COMMENTS_STREAM);
  for (const [text, { requestId, commentId }] of acknowledged.comments) {
    const stored = comments[commentId - 1];
    if (stored?.data.comment !== text || stored.data.request_id !== requestId) {
      faults.push(`comment ${text}: not at ${commentId}`);
    }
  }
  const texts = new Set(comments.map((comment) => comment.data.comment));
  if (texts.size !== comments.length) faults.push('a comment is there twice');

  const account = await decode<AccountEvent>(accountStream(ACCOUNT));
  const withdrawn = new Set(
    account.flatMap(({ type, data }) => (type === 'OrderWithdrawn' ? [data.order_id] : [])),
  );
  const submitted = account.flatMap(({ type, data }) =>
    type === 'OrderSubmitted' && !withdrawn.has(data.order_id) ? [data] : [],
  );
  const byClient = Map.groupBy(submitted, (order) => order.client_order_id);
  for (const [id, order_id] of acknowledged.orders) {
    if (byClient.get(id)?.[0]?.order_id !== order_id) faults.push(`order ${order_id}: lost`);
  }
  for (const [id, there] of byClient) if (there.length > 1) faults.push(`order ${id}: ${there.length} times`);
  return faults;
}

/** Every key has text and every text has its key. The sweep of the start has already removed the rest. */
function checkKeys(dataDir: string, events: readonly RecordedEvent[]): string[] {
  const db = new DatabaseSync(join(dataDir, 'keys.db'), { readOnly: true });
  const keys = new Set(
    db
      .prepare('SELECT name FROM keys WHERE key IS NOT NULL')
      .all()
      .map((row) => String(row['name'])),
  );
  db.close();
  const used = new Set(events.flatMap(({ metadata }) => metadata.key ?? []));
  return [
    ...[...keys].filter((key) => !used.has(key)).map((key) => `key ${key}: no text`),
    ...[...used].filter((key) => !keys.has(key)).map((key) => `text under ${key}: no key`),
  ];
}

/** The tables, brought up to date, equal rebuilt ones; comment ids run from 1 to n. */
async function checkProjection(
  runtime: Runtime,
  file: string,
  events: readonly RecordedEvent[],
): Promise<string[]> {
  const types = auditProjection.types ?? [];
  const last = events
    .filter(({ type }) => types.includes(type))
    .reduce<RecordedEvent | undefined>(
      (newest, event) => (newest === undefined || event.position > newest.position ? event : newest),
      undefined,
    );
  if (last === undefined) return [];
  const runner = startProjection({ ...runtime, projection: auditProjection, file });
  try {
    await runner.waitFor(last.position, { timeoutMs: 30_000 });
    const live = dump(file);
    await runner.rebuild();
    const rebuilt = dump(file);
    const ids = live.comments.map((row) => row['comment_id']);
    return [
      ...(JSON.stringify(live) === JSON.stringify(rebuilt) ? [] : ['the audit tables differ from a rebuild']),
      ...(ids.every((id, index) => id === index + 1) ? [] : ['the comment ids have a gap']),
    ];
  } finally {
    await runner.stop();
  }
}

function dump(file: string) {
  using db = new DatabaseSync(file, { readOnly: true });
  return {
    interactions: db.prepare('SELECT * FROM interactions ORDER BY answer_id').all(),
    ratings: db.prepare('SELECT * FROM ratings ORDER BY answer_id').all(),
    comments: db.prepare('SELECT * FROM comments ORDER BY comment_id').all(),
  };
}

/** A snapshot is complete or does not exist. */
async function checkSnapshots(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const faults: string[] = [];
  for (const name of names.filter((name) => name.endsWith('.snapshot'))) {
    await using bytes = await BytesOfFile.open(join(folder, name));
    if (bytes !== undefined && (await hashOfSnapshot(bytes)) === undefined)
      faults.push(`snapshot ${name}: half`);
  }
  return faults;
}
