import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Erase } from '../../../../events/messages/audit.ts';
import type { OperatorLink } from '../../../../services/operator/link/operator-link.ts';
import type { Deployment, Member } from './deployment.ts';
import type { Acknowledged } from './told.ts';

export interface LoadOptions {
  readonly deployment: Deployment;
  readonly told: Acknowledged;
  readonly link: OperatorLink;
  readonly random: () => number;
  readonly asksPerSecond: number;
  readonly ordersPerSecond: number;
}

const QUESTIONS = [
  'Wie viele Werktage Urlaub gibt es mindestens im Jahr?',
  'Wie lange besteht Anspruch auf Entgeltfortzahlung bei Krankheit?',
  'Wie viele Stunden darf die werktägliche Arbeitszeit dauern?',
  'Wie hoch ist die Umsatzsteuer auf Bananen?',
];

/** A client without an answer for this long counts its request as not acknowledged. */
const PATIENCE_MS = 20_000;
/** The most unanswered requests of each kind: beyond it nothing new is sent. */
const MOST_WAITING = 30;
/** Milliseconds between two reads of the service's health. */
const HEALTH_EVERY_MS = 500;
/** How often an order without an answer is sent. */
const ORDER_TRIES = 4;

/** Sends at a steady rate until `signal` aborts; resolves when all requests are answered or given up. */
export async function runLoad(options: LoadOptions, signal: AbortSignal): Promise<void> {
  const load = new Load(options);
  const { asksPerSecond, ordersPerSecond } = options;
  await Promise.all([
    load.every(1_000 / asksPerSecond, () => load.ask(), signal),
    load.every(1_000 / ordersPerSecond, () => load.order(), signal),
    load.every(HEALTH_EVERY_MS, () => load.health(), signal),
  ]);
}

interface Heard {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly sentAt: number;
  readonly toldAt: number;
}

class Load {
  readonly #options: LoadOptions;
  #count = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** Sends by the clock, so that a request that waits does not delay others. Resolves when none waits. */
  async every(ms: number, send: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const underWay = new Set<Promise<void>>();
    for (let next = performance.now(); !signal.aborted; next += ms) {
      const wait = next - performance.now();
      if (wait > 0) await pause(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      if (underWay.size >= MOST_WAITING) {
        this.#options.told.count('not sent: too much is under way');
        continue;
      }
      const sent = send().finally(() => underWay.delete(sent));
      underWay.add(sent);
    }
    await Promise.all(underWay);
  }

  async ask(): Promise<void> {
    const { told, random } = this.#options;
    const requestId = `r-${this.#count++}-${randomUUID().slice(0, 8)}`;
    const secret = random() < 0.1 ? `Quitte${randomUUID().slice(0, 8)}` : null;
    const question = secret === null ? this.#pick(QUESTIONS) : `${QUESTIONS[0]} ${secret}`;
    const [toRate, toComment] = [random() < 0.3, random() < 0.25];
    const heard = await this.#knowledge('ask', '/v1/ask', { question }, { 'x-request-id': requestId });
    if (heard?.status !== 200) return;
    const isRecorded = heard.body['ratings_enabled'] === true;
    told.answers.push({ ...timesOf(heard), requestId, isRecorded });
    if (!isRecorded) return;
    if (toRate) {
      await this.#rate(requestId, 'up');
      if (random() < 0.5) await this.#rate(requestId, 'down');
    }
    if (toComment) await this.#comment(requestId);
    if (secret !== null) await this.#erase(requestId, secret);
  }

  async order(): Promise<void> {
    const { told, random } = this.#options;
    const clientOrderId = `c-${this.#count++}-${randomUUID().slice(0, 8)}`;
    const order = {
      ticker: this.#pick(['DEMO-OAK', 'DEMO-PINE']),
      action: 'buy',
      quantity: Math.ceil(random() * 3),
      time_in_force: this.#pick(['day', 'ioc']),
      client_order_id: clientOrderId,
    };
    // A refused or unanswered try may still have recorded the order, so its time counts from the first try on.
    const sentAt = Date.now();
    for (let tries = 0; tries < ORDER_TRIES; tries++) {
      const heard = await this.#trading('order', '/api/trading/order', order);
      if (heard?.status === 200) {
        const orderId = String(heard.body['order_id']);
        told.orders.push({ sentAt, toldAt: heard.toldAt, clientOrderId, orderId });
        if (random() < 0.1) {
          const cancel = await this.#trading('cancel', `/api/trading/cancel/${orderId}`);
          if (cancel?.status === 200) told.cancels.push({ ...timesOf(cancel), orderId });
        }
        return;
      }
      if (heard?.body['code'] === 'TRADING_INACTIVE') await this.#trading('start', '/api/trading/start');
      else if (heard !== null && heard.status < 500) return;
      await pause(500);
    }
  }

  async health(): Promise<void> {
    const { told } = this.#options;
    const heard = await this.#send(this.#gateway('url'), 'health', '/v1/health');
    if (heard?.status !== 200) return;
    const { status, audit } = heard.body as { status: string; audit: { spooled: number; lost: number } };
    told.count(`health says ${status}`);
    told.health.push({ ...timesOf(heard), status, spooled: audit.spooled, lost: audit.lost });
  }

  async #rate(requestId: string, rating: 'up' | 'down'): Promise<void> {
    const heard = await this.#knowledge('rate', '/v1/ratings', {
      request_id: requestId,
      rating,
      feedback: `Quitte ${requestId}`,
    });
    if (heard?.status === 200) this.#options.told.ratings.push({ ...timesOf(heard), requestId, rating });
  }

  async #comment(requestId: string): Promise<void> {
    const heard = await this.#knowledge('comment', '/v1/comments', {
      request_id: requestId,
      comment: 'Danke, das war die Antwort.',
    });
    if (heard?.status !== 201) return;
    const commentId = Number(heard.body['comment_id']);
    this.#options.told.comments.push({ ...timesOf(heard), requestId, commentId });
  }

  async #erase(requestId: string, secret: string): Promise<void> {
    const { told, link } = this.#options;
    const sentAt = Date.now();
    try {
      await link.call(Erase, { request_id: requestId, reason: 'Antrag' });
      told.erasures.push({ sentAt, toldAt: Date.now(), requestId, secret });
      told.count('erase done');
    } catch (error) {
      told.count(`erase ${(error as { code?: string }).code ?? 'failed'}`);
    }
  }

  readonly #pick = <T>(from: readonly T[]): T => from[Math.floor(this.#options.random() * from.length)]!;

  /** The address of one of the gateways. */
  #gateway(which: 'url' | 'dashboardUrl'): string | null {
    const urls = this.#options.deployment.of('gateway').map((member: Member) => member[which]);
    return this.#pick(urls.filter((url) => url !== null)) ?? null;
  }

  #knowledge(what: string, path: string, body: object, headers: Record<string, string> = {}) {
    return this.#send(this.#gateway('url'), what, path, body, headers);
  }

  #trading(what: string, path: string, body: object | null = null) {
    return this.#send(this.#gateway('dashboardUrl'), what, path, body);
  }

  /** `null` if there was no answer: the request may be done or not. */
  async #send(
    url: string | null,
    what: string,
    path: string,
    body?: object | null,
    headers: Record<string, string> = {},
  ): Promise<Heard | null> {
    const { told } = this.#options;
    if (url === null) return null;
    const sentAt = Date.now();
    try {
      const response = await fetch(`${url}${path}`, {
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(body === undefined ? {} : { method: 'POST' }),
        ...(body === undefined || body === null
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }),
      });
      const answer = (await response.json()) as Heard['body'];
      const toldAt = Date.now();
      told.count(`${what} ${response.status}${response.ok ? '' : ` ${String(answer['code'])}`}`);
      return { status: response.status, body: answer, sentAt, toldAt };
    } catch {
      told.count(`${what} unheard`);
      return null;
    }
  }
}

const timesOf = ({ sentAt, toldAt }: Heard) => ({ sentAt, toldAt });
