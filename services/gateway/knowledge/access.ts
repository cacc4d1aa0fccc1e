import { refuseAll, requireKeyOrLoopback, requireLoopback, type Guard } from '../http/keys.ts';
import type { GatewaySettings } from './settings.ts';

/** Who may come in where. */
export interface Access {
  /** Ask, ratings, comments. */
  readonly service: Guard;
  /** Reindex. */
  readonly admin: Guard;
  readonly metrics: Guard;
  /** What was asked and said, and what proves or erases it. */
  readonly audit: Guard;
}

/**
 * The admin key opens admin paths only, the service key service paths only. Without an admin key the service key opens
 * reindex, but neither metrics nor audit; without any key everything is open on loopback. Without a service key the service paths
 * are open on loopback even where there is an admin key.
 */
export function decideAccess({
  apiKeys,
  adminApiKeys,
}: Pick<GatewaySettings, 'apiKeys' | 'adminApiKeys'>): Access {
  const service = requireKeyOrLoopback(apiKeys);
  if (adminApiKeys.length > 0) {
    const admin = requireKeyOrLoopback(adminApiKeys);
    return { service, admin, metrics: admin, audit: admin };
  }
  const adminOnly = (what: string) =>
    apiKeys.length === 0
      ? requireLoopback()
      : refuseAll(`${what} an admin key, but PV_ADMIN_API_KEY is not set on the server`);
  return {
    service,
    admin: service,
    metrics: adminOnly('Metrics need'),
    audit: adminOnly('The audit paths need'),
  };
}
