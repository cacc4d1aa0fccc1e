import type { Broker } from '../../actors/trading/broker.ts';
import type { StateHashes } from '../foundation/streams/state-hashes.ts';

/** A broker that the holder of the account has opened. */
export interface OpenBroker extends Broker {
  stateHashes(): Promise<StateHashes>;
  /** Finishes the requests that it has accepted, unless the store is away. */
  close(): Promise<void>;
}

/**
 * Opens a broker. Rejects with `BROKER_UNAVAILABLE`. `onLost` is called when another holder has written: then this
 * broker answers nothing any more.
 */
export type BrokerOpener = (options: {
  account: string;
  now: () => Date;
  onLost: (error: unknown) => void;
}) => Promise<OpenBroker>;
