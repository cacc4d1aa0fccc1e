import type { Logger } from 'pino';
import type { ActorHost } from './actor-host.ts';
import type { MessageBus } from '../../events/bus/bus.ts';
import type { Codec } from '../../events/define.ts';
import type { Leases } from '../../events/leases/leases.ts';
import type { EventStore } from '../../events/store/store.ts';

/** What every service needs. */
export interface ServiceParts {
  readonly bus: MessageBus;
  readonly store: EventStore;
  readonly codec: Codec;
  readonly leases: Leases;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Lists the living actors of this process. */
  readonly actors: ActorHost;
}
