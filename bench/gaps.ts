import { mkdtempDisposable } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answerData, VERIFIED } from '../events/catalog/answer-given.suite.ts';
import { CATALOG } from '../events/catalog/catalog.ts';
import { askStream } from '../events/catalog/knowledge.ts';
import { createCodec, type Codec } from '../events/define.ts';
import { openEmbeddedStore } from '../events/store/embedded/embedded.ts';
import { NO_STREAM, type EventStore } from '../events/store/store.ts';
import { openSqliteVault } from '../events/vault/sqlite.ts';
import { loadKnowledgeBase } from '../kb/base/load.ts';
import { STARTER_BASE } from '../services/knowledge/settings.ts';
import { createEvents } from '../services/foundation/streams/stamp-events.ts';
import { measureProcess } from './audit/measure.ts';
import { seeded } from '../events/seeded.ts';

const BELEG = join(import.meta.dirname, '..', 'services', 'operator', 'beleg.ts');
const AT_ONCE = 256;

/**
 * `npm run bench -- gaps [--asks 5000]`: `beleg kb gaps` over a record of so many asks, a third refused, a third rated; the
 * questions are the `asked` lines of the starter base.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { asks: { type: 'string', default: '5000' } } });
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'beleg-bench-'));
  const folder = temporary.path;
  const events = await writeAsks(folder, Number(values.asks));
  console.log(`${values.asks} asks, ${events} events (load of the machine: ${loadavg()[0]!.toFixed(1)})`);
  const measured = [];
  for (const options of [[], ['--asked']]) {
    const what = ['kb', 'gaps', ...options];
    measured.push(await measureProcess(what.join(' '), folder, ['--no-wasm-tier-up', BELEG, ...what]));
  }
  console.table(measured);
}

async function writeAsks(folder: string, asks: number): Promise<number> {
  const { sources } = await loadKnowledgeBase(STARTER_BASE);
  const questions = sources.flatMap(({ id, asked = [] }) => asked.map((question) => ({ id, question })));
  const random = seeded(1);
  const store = await openEmbeddedStore({ file: join(folder, 'events.db') });
  const vault = await openSqliteVault({ file: join(folder, 'keys.db') });
  const codec = createCodec(CATALOG, vault);
  let events = 0;
  try {
    for (let from = 0; from < asks; from += AT_ONCE) {
      const batch = Array.from({ length: Math.min(AT_ONCE, asks - from) }, (_, n) => {
        const { id, question } = questions[Math.floor(random() * questions.length)]!;
        return writeAsk(store, codec, {
          request_id: `ask-${from + n}`,
          question,
          source: id,
          isRefused: random() < 1 / 3,
          rating: ([null, null, null, null, 'up', 'down'] as const)[Math.floor(random() * 6)]!,
          relevance: random(),
        });
      });
      for (const written of await Promise.all(batch)) events += written;
    }
    return events;
  } finally {
    await store.close();
    await vault.close();
  }
}

interface GeneratedAsk {
  readonly request_id: string;
  readonly question: string;
  readonly source: string;
  readonly isRefused: boolean;
  readonly rating: 'up' | 'down' | null;
  readonly relevance: number;
}

/** Writes the events that the services record for this ask. */
async function writeAsk(store: EventStore, codec: Codec, ask: GeneratedAsk): Promise<number> {
  const { request_id, question, source, isRefused, rating, relevance } = ask;
  const asked = { request_id, question, language: 'de', mode: 'knowledge', top_k: 8, context: null };
  const hits = [{ id: source, score: 1 }];
  const search = { queries: [question], hits, coverage: 1, covered: !isRefused, index: 'x' };
  const given = isRefused
    ? { question }
    : { ...VERIFIED, question, relevance, citations: [source], answer: 'Vier Wochen. '.repeat(40) };
  const drafts = [
    { type: 'QuestionAsked', data: asked },
    { type: 'PassagesRetrieved', data: search },
    { type: 'AnswerGiven', data: answerData(request_id, given) },
    ...(rating === null
      ? []
      : [
          {
            type: 'AnswerRated',
            data: { request_id, rating, feedback: `Gemeint: ${source}`, updated: false },
          },
        ]),
  ];
  const stream = askStream(request_id);
  const at = new Date().toISOString();
  const cause = { stream, at, correlationId: request_id, causationId: `call-${request_id}`, key: request_id };
  const events = createEvents(drafts, cause, { redact: false });
  await store.append(stream, NO_STREAM, await Promise.all(events.map((event) => codec.encode(event))));
  return events.length;
}
