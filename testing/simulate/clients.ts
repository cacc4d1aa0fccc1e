import type { z } from 'zod';
import type { MessageBus } from '../../events/bus/bus.ts';
import { isBelegError } from '../../events/errors.ts';
import * as audit from '../../events/messages/audit.ts';
import { call, newCall, type RequestDefinition } from '../../events/messages/define.ts';
import { Comment, Rate } from '../../events/messages/feedback.ts';
import { Ask, Reindex } from '../../events/messages/knowledge.ts';
import { UpdateMarket } from '../../events/messages/market.ts';
import { LoadModel, ModelStatus, SaveModel, StopTraining, TrainModel } from '../../events/messages/models.ts';
import * as trading from '../../events/messages/trading.ts';
import { TICKERS } from '../../services/trading/market.suite.ts';
import { randomUUID } from './replaced/crypto.ts';
import type { Role } from './service-process.ts';
import { Simulation } from './simulation.ts';
import type { World } from './world.ts';

/** A request of a client, and the reply. */
export interface Told {
  /** The subject of the request. */
  readonly what: string;
  readonly callId: string;
  readonly requestId: string;
  /** How often the call was sent. */
  readonly tries: number;
  /** The error code of the last try; `null` if it succeeded. */
  readonly code: string | null;
  readonly reply: unknown;
}

const QUESTIONS = [
  'Wie viele Werktage Urlaub gibt es mindestens im Jahr?',
  'Wie lange wird Entgelt bei Krankheit fortgezahlt?',
  'Was kostet ein Flug zum Mond?',
];

/** Makes the same question of all questions that differ only in free text that is meant for the record. */
export const withoutToken = (question: string): string => question.replace(/geheim\w+/u, '').trimEnd();

/** A request that clients refer to, with free text that nobody else writes. */
interface Talk {
  readonly id: string;
  readonly token: string;
}

/** The share, the request, and its payload; `undefined` sends nothing. `Talk` is only drawn if the payload uses it. */
type Action = readonly [
  share: number,
  definition: RequestDefinition<z.ZodType, z.ZodType>,
  payload: (talk: Talk) => object | undefined,
];
type Actions = Readonly<Record<string, Action>>;

const nothing = (): object => ({});

/** Errors that no client may ever get. */
const MISTAKES = ['INTERNAL', 'STREAM_CORRUPT', 'INVALID_REQUEST'] as const;

/** The possible timeouts of a client, in milliseconds. */
const PATIENCE = [300, 1_500, 20_000];

/** Requests that are not repeated, because they may have been done. */
const ONCE = [
  Reindex,
  trading.StartTrading,
  trading.AmendOrder,
  trading.CancelOrder,
  trading.ClosePosition,
  trading.CloseAllPositions,
  UpdateMarket,
  TrainModel,
  StopTraining,
];

/** The number of requests: few, so that several clients use the same one. */
const REQUESTS = 3;

/** Sends requests, remembers the replies, and repeats those whose service is gone, as the gateway does. */
export class Client {
  readonly told: Told[] = [];
  readonly #world: World;
  readonly #bus: MessageBus;
  readonly #simulation: Simulation;
  readonly #name: string;
  readonly #patience: number;
  #tokens = 0;

  constructor(name: string, world: World, bus: MessageBus) {
    this.#name = name;
    this.#world = world;
    this.#bus = bus;
    this.#simulation = world.simulation;
    this.#patience = world.simulation.pick(PATIENCE);
  }

  /** Sends one request after the other until that time. */
  async run(until: number): Promise<void> {
    const simulation = this.#simulation;
    const pause = simulation.pick([20, 150, 500]);
    // Ratings and erasures need an earlier ask.
    let action = this.#world.scenario.roles.includes('knowledge') ? this.#knowledge['ask'] : undefined;
    while (simulation.now < until) {
      await simulation.sleep(simulation.between(1, pause));
      await this.#act(action ?? this.#draw());
      action = undefined;
    }
  }

  /** Retries until it succeeds, because everything works by then. */
  async succeed<Rep extends z.ZodType>(
    definition: RequestDefinition<z.ZodType, Rep>,
  ): Promise<z.output<Rep> | undefined> {
    const until = this.#simulation.now + 20_000;
    for (;;) {
      try {
        return await call(this.#bus, definition, {}, newCall());
      } catch (error) {
        if (this.#simulation.now > until) {
          this.#simulation.fault(`${definition.subject} does not work after all is whole: ${String(error)}`);
          return undefined;
        }
        await this.#simulation.sleep(300);
      }
    }
  }

  /** Draws a client's action by its share; actions on the preferred kind of stream are more frequent. */
  #draw(): Action {
    const { simulation, scenario } = this.#world;
    const has = (role: Role): boolean => scenario.roles.includes(role);
    const actions = Object.entries({
      ...(has('knowledge') ? this.#knowledge : {}),
      ...(has('trading') ? this.#trading : {}),
      ...(has('market') ? this.#market : {}),
      ...(has('models') ? this.#models : {}),
    }).map(([kind, action]) => ({ action, share: action[0] * (kind.startsWith(scenario.kind) ? 5 : 1) }));
    let draw = simulation.random() * actions.reduce((sum, { share }) => sum + share, 0);
    return actions.find(({ share }) => (draw -= share) < 0)!.action;
  }

  async #act([, definition, payloadOf]: Action): Promise<void> {
    const id = payloadOf.length > 0 ? `r${this.#simulation.whole(REQUESTS)}` : '';
    const token = id === '' ? '' : `geheim${id}${this.#name}x${this.#tokens++}`;
    const payload = payloadOf({ id, token });
    if (payload !== undefined) await this.#ask(definition, payload, id);
  }

  readonly #pick = <T>(from: readonly T[]): T => this.#simulation.pick(from);

  /** The actions by the kind of stream that they write to. */
  readonly #knowledge: Actions = {
    ask: [
      30,
      Ask,
      ({ id, token }) => ({
        question: `${this.#pick(QUESTIONS)} ${this.#simulation.chance(0.5) ? token : ''}`,
        request_id: id,
      }),
    ],
    'ask, rated': [
      18,
      Rate,
      ({ id, token }) => ({ request_id: id, rating: this.#pick(['up', 'down']), feedback: token }),
    ],
    comments: [22, Comment, ({ id, token }) => ({ request_id: id, comment: token })],
    erasures: [9, audit.Erase, ({ id }) => ({ request_id: id, reason: 'asked for' })],
    'knowledge-index': [
      5,
      Reindex,
      ({ id }) => {
        this.#world.base = 1 - this.#world.base;
        return { request_id: id };
      },
    ],
    checkpoints: [4, audit.MakeCheckpoint, nothing],
    rebuild: [1, audit.RebuildAuditTables, nothing],
  };

  readonly #trading: Actions = {
    start: [12, trading.StartTrading, nothing],
    stop: [3, trading.StopTrading, nothing],
    account: [
      50,
      trading.SubmitOrder,
      () => {
        const n = this.#simulation.whole(4);
        // With a number of one's own it is usually the same order again, whoever sends it.
        const drawn = this.#simulation.chance(0.9) ? new Simulation(n) : this.#simulation;
        return this.#simulation.chance(0.4)
          ? { ...drawOrder(drawn), client_order_id: `c${n}` }
          : drawOrder(this.#simulation);
      },
    ],
    cancel: [
      12,
      trading.CancelOrder,
      () => {
        const orders = this.told.flatMap(({ what, reply }) =>
          what === trading.SubmitOrder.subject && reply !== null
            ? [(reply as { order_id: string }).order_id]
            : [],
        );
        // Usually an order that may not have reached the broker yet.
        const order_id = this.#simulation.chance(0.7) ? orders.at(-1) : this.#pick(orders);
        return order_id === undefined ? undefined : { order_id };
      },
    ],
    amend: [
      6,
      trading.AmendOrder,
      () => {
        const orders = this.told.flatMap(({ what, reply }) =>
          what === trading.SubmitOrder.subject && reply !== null
            ? [(reply as { order_id: string }).order_id]
            : [],
        );
        // Usually an order that may not have reached the broker yet.
        const order_id = this.#simulation.chance(0.7) ? orders.at(-1) : this.#pick(orders);
        return order_id === undefined ? undefined : { order_id, quantity: 1 + this.#simulation.whole(40) };
      },
    ],
    close: [5, trading.ClosePosition, () => ({ ticker: this.#pick(TICKERS) })],
    'close all': [3, trading.CloseAllPositions, nothing],
    rebuild: [1, audit.RebuildTradingTables, nothing],
  };

  readonly #models: Actions = {
    training: [20, TrainModel, () => ({ resume: this.#simulation.chance(0.7) })],
    'training, stopped': [4, StopTraining, nothing],
    models: [6, SaveModel, nothing],
    'models, loaded': [4, LoadModel, nothing],
    'model status': [6, ModelStatus, nothing],
  };

  readonly #market: Actions = { market: [20, UpdateMarket, nothing] };

  async #ask(definition: Action[1], payload: object, requestId: string): Promise<void> {
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
        const timeoutMs = Math.min(definition.timeoutMs, this.#patience);
        reply = await call(this.#bus, definition, payload, context, { timeoutMs });
      } catch (error) {
        if (!isBelegError(error)) throw error;
        code = error.code;
      }
      simulation.tell(this.#name, `${verb} ${callId.slice(0, 8)} -> ${code ?? briefly(reply)}`);
      if (code !== null && MISTAKES.some((each) => each === code)) simulation.fault(`${verb} gives ${code}`);
      const again = code === 'RESPONDER_LOST' && tries === 1 && as !== null;
      if (!again || as === 'another call') {
        this.told.push({ what: definition.subject, callId, requestId, tries, code, reply });
      }
      if (!again) {
        if (code !== null) await simulation.sleep(simulation.between(1, 300));
        // What was unavailable may be back, so the same is requested again.
        if (!/UNAVAILABLE|LOST|DEADLINE/u.test(code ?? '') || simulation.chance(0.5)) return;
        callId = randomUUID();
        tries = 0;
        continue;
      }
      // The work is done again, and both attempts are on record.
      if (as === 'another call') callId = randomUUID();
    }
  }
}

function drawOrder(from: Simulation): z.input<typeof trading.SubmitOrder.request> {
  const type = from.pick(['market', 'market', 'limit', 'stop'] as const);
  const action = from.pick(['buy', 'buy', 'sell'] as const);
  const trail = { percent: 1 + from.whole(10) };
  const trails = type === 'stop' && from.chance(0.5);
  return {
    ticker: from.pick(TICKERS),
    type,
    action,
    quantity: 1 + from.whole(30),
    ...(type === 'market' || trails ? {} : { price: 60 + from.whole(60) }),
    ...(trails ? { trail } : {}),
    // A stop above the price that it is to protect is refused, and nobody knows here how far the price has gone.
    ...(from.chance(0.3)
      ? { bracket: action === 'buy' ? { take_profit: 61 + from.whole(60), stop_loss: 5, trail } : { trail } }
      : {}),
    time_in_force: from.pick(['day', 'gtc', 'ioc', 'fok'] as const),
  };
}

/** How the gateway repeats a request that may have been lost; `null` if it does not. */
function againAs(subject: string, payload: unknown): 'same call' | 'another call' | null {
  if (subject === trading.StopTrading.subject) return 'another call';
  if (subject === trading.SubmitOrder.subject) {
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
