/** What the knowledge gateway is told: checked settings, no environment. */
export interface GatewaySettings {
  /** Opens ask, ratings and comments (and reindex where there is no admin key); `null`: open on this machine. */
  readonly apiKey: string | null;
  /** Opens reindex and metrics. */
  readonly adminApiKey: string | null;
  /** Host names, lower case, under which a proxy reaches the service; loopback names always work. */
  readonly allowedHosts: readonly string[];
  /** Requests that each key may make in a minute; `null`: as many as it likes. */
  readonly rateLimit: number | null;
}
