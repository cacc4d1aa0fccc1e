import type { AuditService } from '../audit/serve-audit.ts';
import type { Watch } from '../foundation/watch-followers.ts';
import type { KnowledgeService } from '../knowledge/serve-knowledge.ts';
import type { MarketService } from '../market/serve-market.ts';
import type { ModelService } from '../models/serve-models.ts';
import type { BusRuntime } from './runtime.ts';
import type { TradingService } from '../trading/serve-trading.ts';

/** The services that run here; `null` for each that does not. */
export interface Services {
  readonly knowledge: KnowledgeService | null;
  readonly audit: AuditService | null;
  readonly market: MarketService | null;
  readonly models: ModelService | null;
  readonly trading: TradingService | null;
}

export interface Application extends Services {
  /** The address of the knowledge service's API; `null` if no gateway runs here. */
  readonly url: string | null;
  /** The address of the trading dashboard. */
  readonly dashboardUrl: string | null;
  readonly runtime: BusRuntime;
  /** The followers of the record in this process; `null` if no service here decides. */
  readonly watch: Pick<Watch, 'lags' | 'degraded'> | null;
  /** Stops accepting, finishes accepted work, and closes the record last. */
  close(): Promise<void>;
}
