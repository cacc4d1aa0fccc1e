import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startProjection, type ProjectionRunner } from '../../../events/projections/runner.ts';
import { tablesLog } from '../../foundation/tables-log.ts';
import type { ServiceParts } from '../../foundation/service-parts.ts';
import { tradingProjection } from './projection.ts';

export const tradingTablesIn = (dataDir: string): string => join(dataDir, 'trading.db');

/**
 * Keeps the trading tables up to date from the record alone. One process at a time, under the lease `trading`.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`.
 */
export function runTradingTables({
  store,
  codec,
  dataDir,
  logger,
  giveUp,
}: Pick<ServiceParts, 'store' | 'codec' | 'logger'> & {
  readonly dataDir: string;
  /** Called when the file of the tables has vanished, to end what reads it. */
  readonly giveUp: () => void;
}): ProjectionRunner {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return startProjection({
    store,
    codec,
    projection: tradingProjection,
    file: tradingTablesIn(dataDir),
    isOwnFile: true,
    ...tablesLog(logger, 'trading', giveUp),
  });
}
