import type { Amendment, Broker, BrokerOrder, BrokerReport } from '../../actors/trading/broker.ts';
import type { Quantity } from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';

/**
 * How a broker takes an order: as it should; without a reply although it has it; without a reply and without having it;
 * or only when a test says so.
 */
export type Taking = 'taken' | 'mute' | 'lost' | 'late';

/** A broker whose answers and reports a test decides. */
export class FakeBroker implements Broker {
  session: string | null = null;
  /** The sessions that it matched. */
  readonly met: string[] = [];
  /** How the next orders are taken. */
  readonly takings: Taking[] = [];
  /** The calls in order. */
  readonly asked: string[] = [];
  readonly has = new Map<string, BrokerOrder>();
  readonly cancelled = new Set<string>();
  readonly late: (() => void)[] = [];
  /** Whether it does not answer at all. */
  away = false;
  held: ReadonlyMap<string, Quantity> = new Map();
  readonly #said: BrokerReport[] = [];
  readonly #listeners = new Set<() => void>();
  /** Called before each reply. */
  onAsked: (what: string) => Promise<unknown> | void = () => undefined;

  async submit(order: BrokerOrder): Promise<void> {
    await this.#answer(`submit ${order.order_id}`);
    const take = (): void => void this.has.set(order.order_id, order);
    switch (this.takings.shift() ?? 'taken') {
      case 'taken':
        take();
        return;
      case 'mute':
        take();
        break;
      case 'late':
        this.late.push(take);
        break;
      case 'lost':
        break;
    }
    throw new BelegError('BROKER_UNAVAILABLE');
  }

  async cancel(orderId: string): Promise<void> {
    await this.#answer(`cancel ${orderId}`);
    this.cancelled.add(orderId);
  }

  async amend({ order_id, amendment }: Amendment): Promise<void> {
    await this.#answer(`amend ${order_id} ${amendment}`);
  }

  async find(orderId: string): Promise<{ readonly open: boolean } | null> {
    await this.#answer(`find ${orderId}`);
    return this.has.has(orderId) ? { open: true } : null;
  }

  async positions(): Promise<ReadonlyMap<string, Quantity>> {
    await this.#answer('positions');
    return this.held;
  }

  async advance({ date }: { date: string }): Promise<void> {
    await this.#answer(`advance ${date}`);
    if (this.session !== null && date <= this.session) return;
    this.session = date;
    this.met.push(date);
  }

  /** Returns two at a time. */
  async reports(after: string | null): Promise<readonly BrokerReport[]> {
    await this.#answer(`reports ${after}`);
    return this.#said.filter(({ cursor }) => after === null || cursor > after).slice(0, 2);
  }

  onReports(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  say(...reports: readonly Said[]): void {
    for (const report of reports) {
      const cursor = String(this.#said.length + 1).padStart(4, '0');
      this.#said.push({ ...report, cursor });
    }
    for (const listener of this.#listeners) listener();
  }

  async #answer(what: string): Promise<void> {
    this.asked.push(what);
    await this.onAsked(what);
    if (this.away) throw new BelegError('BROKER_UNAVAILABLE');
  }
}

/** A report without its cursor. */
type Said = BrokerReport extends infer Report
  ? Report extends BrokerReport
    ? Omit<Report, 'cursor'>
    : never
  : never;
