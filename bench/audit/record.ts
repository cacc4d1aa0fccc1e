import { randomUUID } from 'node:crypto';
import { dateOf, DAY_MS } from '../../events/dates.ts';
import type { AccountCommand } from '../../actors/trading/commands.ts';
import { decide } from '../../actors/trading/decide.ts';
import { evolve } from '../../actors/trading/evolve.ts';
import { initialState } from '../../actors/trading/state.ts';
import { askStream } from '../../events/catalog/knowledge.ts';
import { accountStream } from '../../events/catalog/trading.ts';
import { parseMoney, parsePrice, parseQuantity, type Price } from '../../events/decimal.ts';
import type { Codec, DomainEvent } from '../../events/define.ts';
import { NO_STREAM, type EventStore, type NewEvent } from '../../events/store/store.ts';
import { readSettings } from '../../services/composition/settings.ts';
import { createEvents } from '../../services/foundation/streams/stamp-events.ts';
import { seeded } from '../../events/seeded.ts';

export const ACCOUNT = accountStream('main');

/** Events of one append. */
const BATCH = 512;
/** Asks that are written side by side. */
const ASKS = 256;
const TICKERS = ['DEMO-OAK', 'DEMO-PINE', 'DEMO-ALDER', 'DEMO-BIRCH', 'DEMO-ELM'];
const FIRST_DAY = Date.UTC(2000, 0, 3);
const ORDERS_A_SESSION = 40;

const POLICY = readSettings({}).trading.policy;

const PASSAGE =
  'Der Urlaub beträgt jährlich mindestens 24 Werktage. Als Werktage gelten alle Kalendertage, die nicht Sonn- oder gesetzliche Feiertage sind.';

/** Fills an empty store: an account of about `account` events, the rest asks with sealed text; returns how many events. */
export async function writeRecord(
  store: EventStore,
  codec: Codec,
  sizes: { readonly events: number; readonly account: number },
  onProgress: (events: number) => void,
): Promise<number> {
  let written = 0;
  const count = (events: number): void => onProgress((written += events));
  await writeAccount(store, codec, sizes.account, count);
  while (written < sizes.events) {
    const asks = Math.min(ASKS, Math.ceil((sizes.events - written) / 5));
    await Promise.all(Array.from({ length: asks }, () => writeAsk(store, codec, count)));
  }
  return written;
}

async function writeAccount(
  store: EventStore,
  codec: Codec,
  events: number,
  count: (events: number) => void,
): Promise<void> {
  let revision = NO_STREAM;
  let batch: NewEvent[] = [];
  for (const event of accountEvents(events)) {
    batch.push(await codec.encode(event));
    if (batch.length < BATCH) continue;
    ({ revision } = await store.append(ACCOUNT, revision, batch));
    count(batch.length);
    batch = [];
  }
  if (batch.length > 0) await store.append(ACCOUNT, revision, batch);
  count(batch.length);
}

/** Orders of a client, most of them filled at once, some waiting for long, day after day. */
function* accountEvents(events: number): Generator<DomainEvent<string, unknown>> {
  const random = seeded(1);
  const state = initialState();
  let made = 0;
  let call = 0;
  let cursor = 0;
  function* take(command: AccountCommand): Generator<DomainEvent<string, unknown>> {
    const drafts = decide(command, state, POLICY);
    const causationId = `call-${(call += 1)}`;
    const at = new Date(FIRST_DAY + made * 1_000).toISOString();
    const cause = { stream: ACCOUNT, at, correlationId: causationId, causationId, key: ACCOUNT };
    for (const event of createEvents(drafts, cause, { redact: false })) {
      evolve(state, event as never);
      made += 1;
      yield event;
    }
  }
  const price = (): Price => parsePrice((50 + random() * 100).toFixed(2));
  yield* take({ type: 'open', account: 'main', currency: 'USD', cash: parseMoney('999999999999') });
  yield* take({ type: 'start' });
  for (let day = 0; made < events; day++) {
    const session = dateOf(FIRST_DAY + day * DAY_MS);
    yield* take({ type: 'open-session', session: { date: session, bars: {}, splits: {}, dividends: {} } });
    for (let n = 0; n < ORDERS_A_SESSION && made < events; n++) {
      const ticker = TICKERS[Math.floor(random() * TICKERS.length)]!;
      const held = state.positions.get(ticker)?.quantity ?? 0n;
      const working = state.books.get(ticker)?.selling ?? 0n;
      const quantity = parseQuantity(String(1 + Math.floor(random() * 50)));
      const action = held - working >= quantity && random() < 0.5 ? 'sell' : 'buy';
      const limited = random() < 0.2;
      const last_price = price();
      const order_id = randomUUID();
      yield* take({
        type: 'submit',
        order: {
          order_id,
          ticker,
          action,
          type: limited ? 'limit' : 'market',
          quantity,
          price: limited ? last_price : null,
          stop_price: null,
          time_in_force: limited ? 'gtc' : 'day',
          reduce_only: false,
          client_order_id: `client-${call}`,
          origin: 'client',
          client_timestamp: null,
          last_price,
        },
      });
      const next = (): string => String((cursor += 1)).padStart(12, '0');
      yield* take({ type: 'report', report: { type: 'accepted', order_id, cursor: next() } });
      if (limited && random() < 0.9) {
        // The oldest one that waits comes to its price when two hundred do.
        if (state.open.size < 200) continue;
        const [waiting] = state.open.values();
        yield* take(fill(waiting!.order_id, waiting!.quantity, last_price, next(), session));
      } else {
        yield* take(fill(order_id, quantity, last_price, next(), session));
      }
    }
    const closes = new Map(TICKERS.map((ticker) => [ticker, price()]));
    yield* take({ type: 'close-session', session, closes });
  }
}

function fill(
  order_id: string,
  quantity: bigint,
  price: Price,
  cursor: string,
  session: string,
): AccountCommand {
  const fee = parseMoney('1');
  return {
    type: 'report',
    report: { type: 'trade', order_id, cursor, trade_id: `t-${cursor}`, quantity, price, fee, session },
  };
}

/** Writes the events that the service records for an answered ask. */
async function writeAsk(store: EventStore, codec: Codec, count: (events: number) => void): Promise<void> {
  const request_id = randomUUID();
  const stream = askStream(request_id);
  const question = `Wie viele Werktage Urlaub stehen ${request_id} im Jahr zu?`;
  const drafts = [
    {
      type: 'QuestionAsked',
      data: { request_id, question, language: 'de', mode: 'knowledge', top_k: 8, context: null },
    },
    {
      type: 'PassagesRetrieved',
      data: {
        queries: [question],
        hits: Array.from({ length: 8 }, (_, n) => ({ id: `URL-${n}`, score: 1 / (n + 1) })),
        coverage: 0.9,
        covered: true,
        index: 'f'.repeat(64),
      },
    },
    {
      type: 'AnswerDrafted',
      data: { attempt: 0, model: 'extractive', draft: `${PASSAGE} [URL-1]`, citations: ['URL-1'] },
    },
    { type: 'DraftVerified', data: { attempt: 0, verified: true, failures: [] } },
    {
      type: 'AnswerGiven',
      data: {
        request_id,
        status: 'answered',
        verified: true,
        answer_type: 'specific',
        question,
        answer: `${PASSAGE} [URL-1]`,
        citations: ['URL-1'],
        sources: [
          { id: 'URL-1', title: 'Mindesturlaub', section: '§ 3 BUrlG', stand: '2021-07', work: 'BUrlG' },
        ],
        conflicts: [],
        conflict_ids: [],
        clarification_question: null,
        planned_queries: [],
        verdict: null,
        checks: null,
        mode: 'knowledge',
        model: 'extractive',
        n_context: 8,
        regenerations: 0,
        latency_ms: 12,
      },
    },
  ];
  const cause = {
    stream,
    at: new Date().toISOString(),
    correlationId: request_id,
    causationId: randomUUID(),
    key: request_id,
  };
  const events = createEvents(drafts, cause, { redact: false });
  await store.append(stream, NO_STREAM, await Promise.all(events.map((event) => codec.encode(event))));
  count(events.length);
}
