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
 * Puts what the broker says on record, in its order, each report once: after a restart from the last one that is on
 * record, and whatever comes twice the account knows by its trade id or its lifecycle.
 */
export function takeReports({ broker, writer, ...from }: ReportIntakeOptions) {
  let { cursor } = from;
  /**
   * The running pull, and the one that follows it, which callers share. The engine's state says whether reports are
   * being taken.
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
    /** Takes them as they come, until the function that it returns is called. Told of what they could not be taken for. */
    listen(onFault: (error: unknown) => void): () => void {
      const take = (): void => void drain().catch(onFault);
      const unsubscribe = broker.onReports(take);
      take();
      return unsubscribe;
    },

    /** Resolves when none is being taken any more, where nobody listens. */
    async rest(): Promise<void> {
      await Promise.allSettled([current, next]);
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
