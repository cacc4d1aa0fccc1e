import type { z } from 'zod';
import type { MessageBus } from '../../events/bus/bus.ts';
import { isBelegError } from '../../events/errors.ts';
import {
  Erase,
  ListInteractions,
  MakeCheckpoint,
  RebuildAuditTables,
  RebuildTradingTables,
} from '../../events/messages/audit.ts';
import { call, type RequestDefinition } from '../../events/messages/define.ts';
import { Comment, Rate } from '../../events/messages/feedback.ts';
import { Ask, Reindex } from '../../events/messages/knowledge.ts';
import { UpdateMarket } from '../../events/messages/market.ts';
import {
  CancelOrder,
  CloseAllPositions,
  ClosePosition,
  Orders,
  StartTrading,
  StopTrading,
  SubmitOrder,
  TradingStatus,
} from '../../events/messages/trading.ts';
import { TICKERS } from '../../services/trading/market.suite.ts';
import { randomUUID } from './replaced/crypto.ts';
import type { Simulation } from './simulation.ts';
import type { World } from './world.ts';

/** What a client asked for, and what it was told. */
export interface Told {
  readonly what: 'ask' | 'rate' | 'comment' | 'erase' | 'reindex' | 'order' | 'close' | 'cancel' | 'other';
  readonly callId: string;
  readonly requestId: string;
  /** Of the text that it sent. */
  readonly token: string;
  /** When it was told, by the virtual clock. */
  readonly at: number;
  /** Of the last try; `null` where that succeeded. */
  readonly code: string | null;
  readonly reply: unknown;
}

const QUESTIONS = [
  'Wie viele Werktage Urlaub gibt es mindestens im Jahr?',
  'Wie lange wird Entgelt bei Krankheit fortgezahlt?',
  'Was kostet ein Flug zum Mond?',
];

/** Nobody may ever be told these. */
const MISTAKES = ['INTERNAL', 'STREAM_CORRUPT', 'INVALID_REQUEST'] as const;

/** Milliseconds that a client waits for anything. */
const MOST_PATIENCE = 60_000;

/** What is not sent again: it may have been done. */
const ONCE = [Reindex, StartTrading, CancelOrder, ClosePosition, CloseAllPositions, UpdateMarket];

/** So many requests there are: few enough that clients meet at one. */
const REQUESTS = 5;

/** Asks for this and that, remembers what it was told, and asks again where whoever took it is gone, as the gateway does. */
export class Client {
  readonly told: Told[] = [];
  readonly #world: World;
  readonly #bus: MessageBus;
  readonly #simulation: Simulation;
  readonly #name: string;
  #tokens = 0;

  constructor(name: string, world: World, bus: MessageBus) {
    this.#name = name;
    this.#world = world;
    this.#bus = bus;
    this.#simulation = world.simulation;
  }

  /** One thing after the other, until that time. */
  async run(until: number): Promise<void> {
    const { simulation, scenario } = this.#world;
    while (simulation.now < until) {
      await simulation.sleep(simulation.between(5, 700));
      const trades = scenario.roles.includes('trading');
      const knows = scenario.roles.includes('knowledge');
      if (trades && (!knows || simulation.chance(0.5))) await this.#trade();
      else await this.#useKnowledge();
    }
  }

  /** Until it works: everything is whole again. */
  async succeed<Req extends z.ZodType, Rep extends z.ZodType>(
    definition: RequestDefinition<Req, Rep>,
    payload: z.input<Req>,
    withinMs: number,
  ): Promise<z.output<Rep> | undefined> {
    const until = this.#simulation.now + withinMs;
    for (;;) {
      try {
        const callId = randomUUID();
        return await call(this.#bus, definition, payload, { correlationId: callId, callId });
      } catch (error) {
        if (this.#simulation.now > until) {
          this.#simulation.fault(
            `${definition.subject} does not work after all is whole again: ${String(error)}`,
          );
          return undefined;
        }
        await this.#simulation.sleep(300);
      }
    }
  }

  async #useKnowledge(): Promise<void> {
    const simulation = this.#simulation;
    const requestId = `r${simulation.whole(REQUESTS)}`;
    const token = `geheim${this.#name}x${this.#tokens++}`;
    const draw = simulation.random();
    if (draw < 0.4) {
      const question = `${simulation.pick(QUESTIONS)} ${simulation.chance(0.5) ? token : ''}`;
      await this.#ask('ask', Ask, { question, request_id: requestId }, requestId, token);
    } else if (draw < 0.58) {
      const rating = simulation.pick(['up', 'down'] as const);
      await this.#ask('rate', Rate, { request_id: requestId, rating, feedback: token }, requestId, token);
    } else if (draw < 0.81) {
      await this.#ask('comment', Comment, { request_id: requestId, comment: token }, requestId, token);
    } else if (draw < 0.9) {
      await this.#ask('erase', Erase, { request_id: requestId, reason: 'asked for' }, requestId, token);
    } else if (draw < 0.93) {
      this.#world.base = 1 - this.#world.base;
      await this.#ask('reindex', Reindex, { request_id: requestId }, requestId, token);
    } else if (draw < 0.96) await this.#ask('other', MakeCheckpoint, {}, requestId, token);
    else if (draw < 0.99) await this.#ask('other', ListInteractions, { limit: 20 }, requestId, token);
    else await this.#ask('other', RebuildAuditTables, {}, requestId, token);
  }

  async #trade(): Promise<void> {
    const simulation = this.#simulation;
    const ticker = simulation.pick(TICKERS);
    const draw = simulation.random();
    const loads = this.#world.scenario.roles.includes('market');
    if (loads && simulation.chance(0.15)) await this.#ask('other', UpdateMarket, {});
    else if (draw < 0.12) await this.#ask('other', StartTrading, {});
    else if (draw < 0.15) await this.#ask('other', StopTrading, {});
    else if (draw < 0.68) {
      const type = simulation.pick(['market', 'market', 'limit', 'stop'] as const);
      await this.#ask('order', SubmitOrder, {
        ticker,
        type,
        action: simulation.pick(['buy', 'buy', 'sell'] as const),
        quantity: 1 + simulation.whole(30),
        ...(type === 'market' ? {} : { price: 60 + simulation.whole(60) }),
        time_in_force: simulation.pick(['day', 'gtc', 'ioc', 'fok'] as const),
        ...(simulation.chance(0.3) ? { client_order_id: `c${simulation.whole(8)}` } : {}),
      });
    } else if (draw < 0.8) {
      const orders = this.told.flatMap(({ what, reply }) =>
        what === 'order' && reply !== null ? [(reply as { order_id: string }).order_id] : [],
      );
      if (orders.length > 0) await this.#ask('cancel', CancelOrder, { order_id: simulation.pick(orders) });
    } else if (draw < 0.85) await this.#ask('close', ClosePosition, { ticker });
    else if (draw < 0.88) await this.#ask('other', CloseAllPositions, {});
    else if (draw < 0.94) await this.#ask('other', TradingStatus, {});
    else if (draw < 0.99) await this.#ask('other', Orders, { limit: 10, before: null, ids: null });
    else await this.#ask('other', RebuildTradingTables, {});
  }

  async #ask<Req extends z.ZodType, Rep extends z.ZodType>(
    what: Told['what'],
    definition: RequestDefinition<Req, Rep>,
    payload: z.input<Req>,
    requestId = '',
    token = '',
  ): Promise<void> {
    const simulation = this.#simulation;
    const as = againAs(definition.subject, payload);
    let callId = randomUUID();
    const verb = definition.subject.split('.').slice(-2).join('.');
    for (let tries = 1; ; tries++) {
      simulation.tell(this.#name, `${verb} ${callId.slice(0, 8)} ${JSON.stringify(payload)}`);
      let code: string | null = null;
      let reply: unknown = null;
      try {
        const context = { correlationId: requestId || callId, callId };
        const timeoutMs = Math.min(definition.timeoutMs, MOST_PATIENCE);
        reply = await call(this.#bus, definition, payload, context, { timeoutMs });
      } catch (error) {
        if (!isBelegError(error)) throw error;
        code = error.code;
      }
      simulation.tell(this.#name, `${verb} ${callId.slice(0, 8)} -> ${code ?? briefly(reply)}`);
      if (code !== null && MISTAKES.some((each) => each === code)) simulation.fault(`${verb} gives ${code}`);
      const again = code === 'RESPONDER_LOST' && tries === 1 && as !== null;
      if (!again || as === 'another call') {
        this.told.push({ what, callId, requestId, token, at: simulation.now, code, reply });
      }
      if (!again) return;
      // Its work is done anew, and both attempts are on record.
      if (as === 'another call') callId = randomUUID();
    }
  }
}

/** How the gateway sends what may have been lost a second time; `null`: it does not. */
function againAs(subject: string, payload: unknown): 'same call' | 'another call' | null {
  if (subject === Ask.subject || subject === StopTrading.subject) return 'another call';
  if (subject === SubmitOrder.subject) {
    return typeof (payload as { client_order_id?: unknown }).client_order_id === 'string'
      ? 'same call'
      : null;
  }
  return ONCE.some((definition) => definition.subject === subject) ? null : 'same call';
}

function briefly(reply: unknown): string {
  const { order_id, comment_id, status, updated, erased_at, ratings_enabled } = reply as Record<
    string,
    unknown
  >;
  return JSON.stringify({ status, order_id, comment_id, updated, erased_at, ratings_enabled });
}
