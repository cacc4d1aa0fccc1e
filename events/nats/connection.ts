import { connect, type NatsConnection } from 'nats';

export interface NatsSettings {
  /** `nats://` or `tls://` addresses of one cluster. */
  readonly servers: readonly string[];
  readonly token?: string;
  readonly user?: string;
  readonly password?: string;
  /** Path of a credentials file. */
  readonly credentials?: string;
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

/** One connection a process: the bus, the leases, the vault and the outlet share it. */
export async function connectNats(
  settings: NatsSettings,
  options: { name: string },
): Promise<NatsConnection> {
  return connect({ servers: [...settings.servers], name: options.name });
}
