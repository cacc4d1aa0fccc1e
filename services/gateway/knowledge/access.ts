import { refuseAll, requireKeyOrLoopback } from '../http/keys-and-hosts.ts';

/** What the knowledge gateway is told: checked settings, no environment. */
export interface GatewaySettings {
  /** Each key opens ask, ratings and comments (and reindex if there is no admin key). Without any, it is open on this machine. */
  readonly apiKeys: readonly string[];
  /** Each key opens reindex, metrics and the audit paths. */
  readonly adminApiKeys: readonly string[];
  /** Host names, lower case, under which a proxy reaches the service; loopback names always work. */
  readonly allowedHosts: readonly string[];
  /** Requests that each key may make in a minute; `null`: as many as it likes. */
  readonly rateLimit: number | null;
  /** Path below which a proxy serves this, without a slash at its end; absent or empty: none. */
  readonly basePath?: string;
}

/** Who may come in where. */
export type Access = ReturnType<typeof decideAccess>;

/**
 * The admin key opens admin paths only, the service key service paths only. Without an admin key the service key opens
 * reindex, but neither metrics nor audit; without any key everything is open on loopback. Without a service key the service paths
 * are open on loopback even where there is an admin key.
 */
export function decideAccess({ apiKeys, adminApiKeys }: Pick<GatewaySettings, 'apiKeys' | 'adminApiKeys'>) {
  const service = requireKeyOrLoopback(apiKeys);
  if (adminApiKeys.length > 0) {
    const admin = requireKeyOrLoopback(adminApiKeys);
    return { service, admin, metrics: admin, audit: admin, actors: admin };
  }
  const adminOnly = (what: string) =>
    apiKeys.length === 0
      ? service
      : refuseAll(`${what} an admin key, but PV_ADMIN_API_KEY is not set on the server`);
  return {
    /** Ask, ratings, comments. */
    service,
    /** Reindex. */
    admin: service,
    metrics: adminOnly('Metrics need'),
    /** Paths to questions and answers, and to what proves or erases them. */
    audit: adminOnly('The audit paths need'),
    actors: adminOnly('The list of actors needs'),
  };
}
