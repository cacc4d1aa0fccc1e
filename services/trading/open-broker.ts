import type { Broker } from '../../actors/trading/broker.ts';
import type { StateHashes } from '../foundation/streams/state-hashes.ts';

/** A broker in the hands of the process that has the account. */
export interface OpenBroker extends Broker {
  stateHashes(): Promise<StateHashes>;
  /** Finishes what it has taken, unless the store is away. */
  close(): Promise<void>;
}

/** Rejects with `BROKER_UNAVAILABLE`. `onLost` is called when another holder has written: this one answers nothing any more. */
export type BrokerOpener = (options: {
  account: string;
  now: () => Date;
  onLost: (error: unknown) => void;
}) => Promise<OpenBroker>;
