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
export function takeReports({ broker, writer, onFault, retryMs = 1_000, ...from }: ReportIntakeOptions) {
  let { cursor } = from;
  /** The pull that runs, and the one that will when it has ended. */
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let unsubscribe: (() => void) | undefined;
  let retry: NodeJS.Timeout | undefined;

  async function pull(): Promise<void> {
    for (;;) {
      const reports = await broker.reports(cursor);
      const last = reports.at(-1);
      if (last === undefined) return;
      await Promise.all(reports.map((report) => writer.submit({ type: 'report', report }, causeOf(report))));
      cursor = last.cursor;
    }
  }

  function drain(): Promise<void> {
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return (current = pull());
      });
    return next;
  }

  function pullSoon(): void {
    clearTimeout(retry);
    drain().catch((error: unknown) => {
      if (unsubscribe === undefined) return;
      onFault(error);
      retry = setTimeout(pullSoon, retryMs);
    });
  }

  return {
    start(): void {
      unsubscribe = broker.onReports(pullSoon);
      pullSoon();
    },
    /** Lets what is being recorded finish. */
    async stop(): Promise<void> {
      unsubscribe?.();
      unsubscribe = undefined;
      clearTimeout(retry);
      await Promise.allSettled([current, next]);
      clearTimeout(retry);
    },
    /** Resolves when all that the broker had to report at the call is on record. Rejects with `BROKER_UNAVAILABLE`. */
    drain,
  };
}

export type ReportIntake = ReturnType<typeof takeReports>;

/** The same report gives the same events. */
function causeOf({ order_id, cursor }: BrokerReport): CallContext {
  return { correlationId: order_id, callId: `report/${cursor}` };
}
