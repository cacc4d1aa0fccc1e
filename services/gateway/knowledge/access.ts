import { refuseAll, requireKeyOrLoopback } from '../http/keys-and-hosts.ts';

/** The settings of the knowledge gateway. */
export interface GatewaySettings {
  /**
   * The keys for ask, ratings and comments, and for reindex if there is no admin key. Without keys these are open on
   * this machine.
   */
  readonly apiKeys: readonly string[];
  /** The keys for reindex, metrics and the audit paths. */
  readonly adminApiKeys: readonly string[];
  /** Host names, lower case, under which a proxy reaches the service; loopback names always work. */
  readonly allowedHosts: readonly string[];
  /** Requests that each key may make in a minute; `null` means no limit. */
  readonly rateLimit: number | null;
  /** The path below which a proxy serves the application, without a trailing slash; absent or empty if none. */
  readonly basePath?: string;
}

/** The guards of the paths. */
export type Access = ReturnType<typeof decideAccess>;

/**
 * The admin key opens admin paths only, the service key service paths only. Without an admin key the service key opens
 * reindex, but neither metrics nor audit; without any key everything is open on loopback. Without a service key the
 * service paths are open on loopback even if there is an admin key.
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
    /** The guard of ask, ratings and comments. */
    service,
    /** The guard of reindex. */
    admin: service,
    metrics: adminOnly('Metrics need'),
    /** The guard of the paths that read, prove or erase questions and answers. */
    audit: adminOnly('The audit paths need'),
    actors: adminOnly('The list of actors needs'),
  };
}
