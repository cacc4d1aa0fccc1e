import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Codec } from '../../../events/define.ts';
import { startProjection, type ProjectionRunner } from '../../../events/projections/runner.ts';
import type { EventStore } from '../../../events/store/store.ts';
import { tradingProjection } from './projection.ts';

export const tradingTablesIn = (dataDir: string): string => join(dataDir, 'trading.db');

/**
 * Keeps the trading tables up to date. It reads the record and nothing else: no account moves because of it. One process
 * at a time, under the lease `trading`.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`
 */
export function runTradingTables({
  store,
  codec,
  dataDir,
  logger,
}: {
  readonly store: EventStore;
  readonly codec: Codec;
  readonly dataDir: string;
  readonly logger: Logger;
}): ProjectionRunner {
  return startProjection({
    store,
    codec,
    projection: tradingProjection,
    file: tradingTablesIn(dataDir),
    onLostPlace: (place) =>
      logger.warn(
        { place },
        'the trading tables kept a place that the record does not have; they are built anew',
      ),
    onState: ({ state, error }) => {
      if (error === undefined) logger.debug({ state }, 'trading projection');
      else logger.error({ state, err: error }, 'trading projection');
    },
  });
}
