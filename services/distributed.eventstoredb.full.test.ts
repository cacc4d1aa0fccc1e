import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createCodec } from '../events/define.ts';
import { CATALOG } from '../events/catalog/catalog.ts';
import { Erase, MakeCheckpoint } from '../events/messages/audit.ts';
import { hasNatsServer } from '../testing/nats/server.suite.ts';
import { startProjection } from '../events/projections/runner.ts';
import { EVENTS_STREAM } from '../events/relay/outlet.ts';
import type { PublishedEvent } from '../events/relay/event-message.ts';
import { openEventStoreDb } from '../events/store/eventstoredb/eventstoredb.ts';
import type { EventStore, RecordedEvent } from '../events/store/store.ts';
import { verifyRecord } from '../events/proof/verify.ts';
import { openNatsVault } from '../events/vault/nats.ts';
import { QUESTION, Workspace, type Client, type Reply } from '../testing/processes/application.suite.ts';
import { auditProjection } from './audit/projection.ts';
import { tellStory } from './audit/story/story.ts';
import { Cluster } from '../testing/processes/cluster.suite.ts';
import { formatStory } from './operator/audit/show/story-text.ts';
import { tailRecord } from './operator/audit/tail.ts';
import { linesOf } from './operator/audit/verify-arguments.ts';
import { openLink } from './operator/link.ts';
import { openRecord } from './composition/runtime.ts';
import { PATIENT } from '../events/patient.suite.ts';

const SECRET = 'Kennwort Quittenbaum';

describe.skipIf(!hasNatsServer)('as separate processes on NATS and an event store', () => {
  let workspace: Workspace;
  let cluster: Cluster;
  let client: Client;

  beforeAll(async () => {
    workspace = await Workspace.create();
    cluster = await Cluster.start(workspace.folder, workspace.environment({ LOG_LEVEL: 'fatal' }), {
      knowledge: 2,
      audit: 2,
    });
    ({ client } = cluster);
  });

  afterAll(async () => {
    const codes = await cluster?.stop();
    await workspace.remove();
    expect(new Set(codes)).toEqual(new Set([0]));
    expect(cluster.violations).toEqual([]);
  });

  /** Everything on record, through a connection of its own. */
  async function readRecord<T>(read: (store: EventStore) => Promise<T>): Promise<T> {
    const store = await openEventStoreDb({ url: cluster.store.url });
    try {
      return await read(store);
    } finally {
      await store.close();
    }
  }

  async function recorded(): Promise<RecordedEvent[]> {
    return readRecord(async (store) => {
      expect(await verifyRecord(store)).toMatchObject({ findings: [] });
      const events: RecordedEvent[] = [];
      for await (const event of store.readAll()) events.push(event);
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      return events;
    });
  }

  /** Asks from eight clients at once until `until` settles, then once more each. */
  async function askMeanwhile(name: string, until: Promise<unknown>): Promise<Reply<unknown>[]> {
    const replies: Reply<unknown>[] = [];
    const over = new AbortController();
    void until.finally(() => over.abort());
    await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        for (let i = 0; i === 0 || !over.signal.aborted; i++)
          replies.push(await client.ask(QUESTION, `${name}-${n}-${i}`));
      }),
    );
    await until;
    return replies;
  }

  const answers = () =>
    vi.waitFor(async () => expect((await client.ask(QUESTION)).status).toBe(200), PATIENT);
  const comments = (id: string) =>
    vi.waitFor(async () => {
      const reply = await client.comment(id, 'Nach dem Ausfall.');
      expect(reply.status).toBe(201);
      return reply.body.comment_id;
    }, PATIENT);

  test('asks, rates, comments and reindexes', async () => {
    const { status, body } = await client.ask(QUESTION, 'first');
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'answered', verified: true, ratings_enabled: true });
    expect((await client.rate('first', 'up', 'genau')).body).toMatchObject({ updated: false });
    expect((await client.rate('first', 'down')).body).toMatchObject({ updated: true });
    expect((await client.comment('first', 'Danke.')).body).toMatchObject({ comment_id: 1 });
    expect(await client.post('/v1/reindex')).toMatchObject({ status: 200, body: { status: 'reindexed' } });
    expect(await client.health()).toMatchObject({ status: 200, body: { status: 'ok' } });
    const types = (await recorded()).map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(['AnswerGiven', 'AnswerRated', 'CommentRecorded', 'IndexBuilt']),
    );
  });

  test('tells of the steps of an ask, wherever they are done', async () => {
    expect(await client.follow(QUESTION)).toEqual(['planned', 'retrieved', 'drafted', 'verified', 'answer']);
  });

  test('gives the same answers as one process does', async () => {
    const single = await workspace.start({ DATA_DIR: join(workspace.folder, 'single') });
    try {
      const questions = [
        QUESTION,
        'Wie lange wird Entgelt bei Krankheit fortgezahlt?',
        'Wer baut Raumschiffe?',
        '',
      ];
      for (const [n, question] of questions.entries()) {
        const [here, there] = await Promise.all([
          single.client.ask(question, `same-${n}`),
          client.ask(question, `same-${n}`),
        ]);
        expect(there.status).toBe(here.status);
        expect(plain(there)).toBe(plain(here));
      }
    } finally {
      await single.application.close();
    }
  });

  test('a new index is in service everywhere once the reindex has answered', async () => {
    await workspace.writePassage({
      id: 'PROBE-1',
      title: 'Probezeit',
      section: '§ 622 BGB',
      text: 'Die vereinbarte Probezeit dauert längstens sechs Monate. Während der Probezeit gilt eine Kündigungsfrist von zwei Wochen.',
    });
    expect(await client.post('/v1/reindex')).toMatchObject({ status: 200, body: { added: 1 } });
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => client.ask('Wie lange dauert die Probezeit längstens?')),
    );
    for (const { body } of replies) expect(body.citations).toEqual(['PROBE-1']);
  });

  test('a knowledge process that is killed under load costs at most what was in it', async () => {
    const [killed] = cluster.knowledge.splice(0, 1);
    const restarted = (async () => {
      await answers();
      await killed!.kill();
      const next = cluster.run('knowledge');
      cluster.knowledge.push(next);
      await next.ready;
    })();
    const replies = await askMeanwhile('killed', restarted);
    const failed = replies.filter(({ status }) => status !== 200);
    expect(failed.length).toBeLessThanOrEqual(8);
    for (const { status, headers } of failed) {
      expect(status).toBe(503);
      expect(headers.get('retry-after')).not.toBeNull();
    }
    // On a busy machine a client may get no further than its second ask.
    expect(replies.length).toBeGreaterThan(8);
  });

  test('all find NATS again after it was killed', async () => {
    await cluster.nats.kill();
    const meanwhile = await client.ask(QUESTION);
    expect(meanwhile).toMatchObject({ status: 503 });
    expect(meanwhile.headers.get('retry-after')).not.toBeNull();
    await cluster.nats.restart();
    await answers();
    await comments('first');
    await vi.waitFor(async () => expect((await client.health()).body.status).toBe('ok'), PATIENT);
  });

  test('answers go on while the store is away, and all of it is on record afterwards, once', async () => {
    // Events of asks while NATS was away may have found no key.
    const { lost } = (await client.health()).body.audit;
    await cluster.store.kill();
    const replies = await Promise.all(Array.from({ length: 6 }, (_, n) => client.ask(QUESTION, `away-${n}`)));
    for (const { status, body } of replies) {
      expect({ status, ratings: body.ratings_enabled }).toEqual({ status: 200, ratings: false });
    }
    expect((await client.rate('first', 'up')).body).toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    expect((await client.comment('first', 'Geht nicht.')).body).toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    expect((await client.health()).body).toMatchObject({ status: 'degraded' });
    await cluster.store.restart();
    await vi.waitFor(
      async () =>
        expect((await client.health()).body).toMatchObject({ status: 'ok', audit: { spooled: 0, lost } }),
      PATIENT,
    );
    const given = (await recorded()).filter(({ type }) => type === 'AnswerGiven').map(({ stream }) => stream);
    for (let n = 0; n < 6; n++) expect(given.filter((stream) => stream === `ask-away-${n}`)).toHaveLength(1);
    expect((await client.rate('away-0', 'up')).status).toBe(200);
  });

  test('when an audit process dies, the other takes over: no comment is lost or doubled, text is erased', async () => {
    const ids = [await comments('first')];
    const link = await openLink(cluster.settings);
    for (let round = 0; round < 2; round++) {
      await client.ask(`${QUESTION} ${SECRET}`, `secret-${round}`);
      const [killed] = cluster.audit.splice(0, 1);
      await killed!.kill();
      const erasing = link.call(Erase, { request_id: `secret-${round}`, reason: 'Antrag vom 3. März' });
      ids.push(await comments('first'));
      expect(await erasing).toMatchObject({ request_id: `secret-${round}` });
      const next = cluster.run('audit');
      cluster.audit.push(next);
      await next.ready;
    }
    expect(ids).toEqual([ids[0], ids[0]! + 1, ids[0]! + 2]);
    const all = (await recorded()).filter(({ stream }) => stream === 'comments');
    expect(all.map(({ revision }) => Number(revision))).toEqual([...all.keys()]);
    await vi.waitFor(async () => expect((await client.health()).body.status).toBe('ok'), PATIENT);
    expect(filesWith(workspace.data, SECRET)).toEqual([]);
    await link[Symbol.asyncDispose]();
  });

  test('operators prove, tell and follow the record from outside', async () => {
    const link = await openLink(cluster.settings);
    const { size, root } = await link.call(MakeCheckpoint, {});
    await link[Symbol.asyncDispose]();
    const record = await openRecord(cluster.settings);
    const stop = new AbortController();
    try {
      // There is one chain of checkpoints, whoever made them, and all are in the file.
      const outside = linesOf(cluster.settings.audit.checkpointFile);
      const { findings, checkpoints } = await verifyRecord(record.store, { outside, expect: { size, root } });
      expect(findings).toEqual([]);
      expect(checkpoints.outside).toBe(checkpoints.record);

      const terminal = { columns: 80, colour: false };
      expect(formatStory(await tellStory(record, 'first'), terminal)).toContain('“Nach dem Ausfall.”');
      const erased = formatStory(await tellStory(record, 'secret-0'), terminal);
      expect(erased).toContain('Antrag vom 3. März');
      expect(erased).not.toContain(SECRET);

      const seen = Promise.withResolvers<string>();
      const tail = tailRecord(
        record,
        { stream: 'ask-followed', text: true, follow: true },
        { write: async (line) => seen.resolve(line), terminal: () => terminal, signal: stop.signal },
      );
      await client.ask(QUESTION, 'followed');
      expect(await seen.promise).toContain('ask-followed#0  QuestionAsked');
      stop.abort();
      await tail;
    } finally {
      stop.abort();
      await record[Symbol.asyncDispose]();
    }
  });

  test('when the process that reindexes dies, another one does it', async () => {
    for (let round = 0; round < 2; round++) {
      const [killed] = cluster.knowledge.splice(0, 1);
      await killed!.kill();
      await vi.waitFor(async () => expect((await client.post('/v1/reindex')).status).toBe(200), PATIENT);
      const next = cluster.run('knowledge');
      cluster.knowledge.push(next);
      await next.ready;
    }
  });

  test('every event is published, once and in the order of the record', async () => {
    const connection = await cluster.connect('operator');
    try {
      const manager = await connection.jetstreamManager();
      const ids = await vi.waitFor(async () => {
        const { state } = await manager.streams.info(EVENTS_STREAM);
        const ids = (await recorded()).map(({ id }) => id);
        expect(state.messages).toBe(ids.length);
        return ids;
      }, PATIENT);
      const consumer = await connection.jetstream().consumers.get(EVENTS_STREAM);
      const published: string[] = [];
      for await (const message of await consumer.fetch({
        max_messages: ids.length,
        expires: PATIENT.timeoutMs,
      })) {
        published.push(message.json<PublishedEvent>().id);
      }
      expect(published).toEqual(ids);
    } finally {
      await connection.close();
    }
  });

  test('the audit tables are what a rebuild gives', async () => {
    const connection = await cluster.connect('knowledge');
    const vault = await openNatsVault(connection, { owner: 'test' });
    const file = join(workspace.folder, 'rebuilt.db');
    try {
      await readRecord(async (store) => {
        const codec = createCodec(CATALOG, vault);
        const runner = startProjection({ store, codec, projection: auditProjection, file });
        const last = (await recorded()).findLast(({ type }) => auditProjection.types!.includes(type))!;
        await runner.waitFor(last.position, PATIENT);
        await runner.stop();
      });
      const live = join(workspace.data, 'audit.db');
      await vi.waitFor(() => expect(dump(live)).toEqual(dump(file)), PATIENT);
    } finally {
      await vault.close();
      await connection.close();
    }
  });
});

/** Names of files below a folder that hold these bytes. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file).includes(text));
}

/** The answer, apart from the time that it took. */
function plain({ body }: Reply<object>): string {
  return JSON.stringify({ ...body, latency_ms: 0 });
}

function dump(file: string) {
  using db = new DatabaseSync(file, { readOnly: true });
  return ['interactions', 'ratings', 'comments'].map((table) =>
    db.prepare(`SELECT * FROM ${table} ORDER BY 1`).all(),
  );
}
