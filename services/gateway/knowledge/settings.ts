/** What the knowledge gateway is told: checked settings, no environment. */
export interface GatewaySettings {
  /** Each opens ask, ratings and comments (and reindex where there is no admin key); none: open on this machine. */
  readonly apiKeys: readonly string[];
  /** Each opens reindex, metrics and the audit paths. */
  readonly adminApiKeys: readonly string[];
  /** Host names, lower case, under which a proxy reaches the service; loopback names always work. */
  readonly allowedHosts: readonly string[];
  /** Requests that each key may make in a minute; `null`: as many as it likes. */
  readonly rateLimit: number | null;
}
