import type { Projection } from '../../../../events/projections/projection.ts';
import { auditProjection } from '../../../audit/projection.ts';
import type { Settings } from '../../../config.ts';
import { tradingProjection } from '../../../trading/tables/projection.ts';
import { tradingTablesIn } from '../../../trading/tables/running.ts';

/** A projection and the file that its tables are in. */
export interface KnownProjection {
  readonly projection: Projection;
  readonly file: string;
}

export const projectionsOf = ({ audit, dataDir }: Settings): readonly KnownProjection[] => [
  { projection: auditProjection, file: audit.dbPath },
  { projection: tradingProjection, file: tradingTablesIn(dataDir) },
];
