import type { Broker, BrokerReport } from '../../actors/trading/broker.ts';
import type { CallContext } from '../../events/messages/define.ts';
import type { AccountWriter } from './account/account.ts';

interface ReportIntakeOptions {
  readonly broker: Pick<Broker, 'reports' | 'onReports'>;
  readonly writer: Pick<AccountWriter, 'submit'>;
  /** The cursor of the last recorded report. */
  readonly cursor: string | null;
}

/**
 * Records the broker's reports in order, each once. After a restart it continues after the last report on record; the
 * account recognises a repeated report by its trade id or its lifecycle.
 */
export function takeReports({ broker, writer, ...from }: ReportIntakeOptions) {
  let { cursor } = from;
  /**
   * The read of reports that is running, and the one that follows it, which callers share. The engine's state says
   * whether reports are being taken.
   */
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

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

  return {
    /**
     * Takes reports as they come, until the returned function is called. `onFault` is called when reports could not be
     * taken.
     */
    listen(onFault: (error: unknown) => void): () => void {
      const take = (): void => void drain().catch(onFault);
      const unsubscribe = broker.onReports(take);
      take();
      return unsubscribe;
    },

    /** Resolves when no reports are being taken any more, once nobody listens. */
    async rest(): Promise<void> {
      await Promise.allSettled([current, next]);
    },

    /** Resolves when all reports that the broker had at the call are on record. Rejects with `BROKER_UNAVAILABLE`. */
    drain,
  };
}

export type ReportIntake = ReturnType<typeof takeReports>;

/** A repeated report has the same cause and so gives the same events. */
function causeOf({ order_id, cursor }: BrokerReport): CallContext {
  return { correlationId: order_id, callId: `report/${cursor}` };
}
