import type { Logger } from 'pino';
import { CATALOG } from '../../events/catalog/catalog.ts';
import type { Outlet } from '../../events/relay/outlet.ts';
import { runRelay } from '../../events/relay/relay.ts';
import { lookEvery } from '../foundation/clock.ts';
import type { LeaseName } from '../foundation/lease-names.ts';
import type { Watch } from '../foundation/watch-followers.ts';
import type { Runtime } from './runtime.ts';

/** Milliseconds between two checks whether published events are still there. */
const LOOK_MS = 4_000;

/**
 * Publishes the record to subscribers of events. Every process with an outlet competes for the lease; one of them
 * relays at a time. The returned function ends this, and resolves when the lease is released.
 */
export function startRelay({
  store,
  outlet,
  leases,
  logger,
  watch,
}: Pick<Runtime, 'store' | 'leases'> & {
  outlet: Outlet;
  logger: Logger;
  watch?: Pick<Watch, 'add'>;
}): () => Promise<void> {
  const stopping = new AbortController();
  const onError = (error: unknown): void => {
    if (!stopping.signal.aborted) logger.warn({ err: error }, 'events are waiting to be published');
  };
  const onLostPlace = (place: string): void =>
    logger.warn({ place }, 'the relay is ahead of the record, so events are published again');
  const types = CATALOG.map(({ type }) => type);
  let delivered = '';
  const onDelivered = (place: string = ''): void => void (delivered = place);
  const relay = leases.run(
    'relay' satisfies LeaseName,
    async (held) => {
      let again = new AbortController();
      const begin = (): void => again.abort();
      const unwatch = watch?.add('relay', {
        types,
        delivered: () => delivered,
        onLostPlace: begin,
        published: () => outlet.published,
      });
      // NATS may lose some or all of its store. No answer is no proof of that; the next check will tell.
      const stopLooking = lookEvery(LOOK_MS, async () => {
        if (!(await outlet.isWhole().catch(() => true))) begin();
      });
      try {
        while (!held.aborted) {
          again = new AbortController();
          const over = AbortSignal.any([held, again.signal]);
          await runRelay({ store, outlet, definitions: CATALOG, onError, onLostPlace, onDelivered }, over);
        }
      } finally {
        void stopLooking();
        await unwatch?.();
      }
    },
    stopping.signal,
  );
  return async () => {
    stopping.abort();
    await relay;
  };
}
