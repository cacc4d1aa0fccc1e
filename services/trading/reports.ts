import type { Broker, BrokerReport } from '../../actors/trading/broker.ts';
import type { CallContext } from '../../events/messages/define.ts';
import type { AccountWriter } from './account/account.ts';

interface ReportIntakeOptions {
  readonly broker: Pick<Broker, 'reports' | 'onReports'>;
  readonly writer: Pick<AccountWriter, 'submit'>;
  /** Last report on record. */
  readonly cursor: string | null;
  /** Told of what a broker's reports could not be fetched for; they are asked for again. */
  readonly onFault: (error: unknown) => void;
  /** Milliseconds until then. */
  readonly retryMs?: number;
}

/**
 * Puts what the broker says on record, in its order, each report once: after a restart from the last one that is on
 * record, and whatever comes twice the account knows by its trade id or its lifecycle.
 */
export class ReportIntake {
  readonly #options: ReportIntakeOptions;
  #cursor: string | null;
  /** The pull that runs, and the one that will when it has ended. */
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #unsubscribe: (() => void) | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: ReportIntakeOptions) {
    this.#options = options;
    this.#cursor = options.cursor;
  }

  start(): void {
    this.#unsubscribe = this.#options.broker.onReports(() => this.#pullSoon());
    this.#pullSoon();
  }

  /** Lets what is being recorded finish. */
  async stop(): Promise<void> {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    clearTimeout(this.#retry);
    await Promise.allSettled([this.#current, this.#next]);
    clearTimeout(this.#retry);
  }

  /** Resolves when all that the broker had to report at the call is on record. Rejects with `BROKER_UNAVAILABLE`. */
  drain(): Promise<void> {
    this.#next ??= this.#current
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return (this.#current = this.#pull());
      });
    return this.#next;
  }

  #pullSoon(): void {
    clearTimeout(this.#retry);
    this.drain().catch((error: unknown) => {
      if (this.#unsubscribe === undefined) return;
      this.#options.onFault(error);
      this.#retry = setTimeout(() => this.#pullSoon(), this.#options.retryMs ?? 1_000);
    });
  }

  async #pull(): Promise<void> {
    const { broker, writer } = this.#options;
    for (;;) {
      const reports = await broker.reports(this.#cursor);
      const last = reports.at(-1);
      if (last === undefined) return;
      await Promise.all(reports.map((report) => writer.submit({ type: 'report', report }, causeOf(report))));
      this.#cursor = last.cursor;
    }
  }
}

/** The same report gives the same events. */
function causeOf({ order_id, cursor }: BrokerReport): CallContext {
  return { correlationId: order_id, callId: `report/${cursor}` };
}
