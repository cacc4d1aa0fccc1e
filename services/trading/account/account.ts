import type { TradingPolicy } from '../../../actors/trading/commands.ts';
import type { AccountState } from '../../../actors/trading/state.ts';
import { ACCOUNT } from '../../../actors/streams/trading.ts';
import { accountStream } from '../../../events/catalog/trading.ts';
import type { EventStore } from '../../../events/store/store.ts';
import {
  StreamWriter,
  type Loaded,
  type StreamWriterOptions,
  type WriterOf,
} from '../../foundation/streams/writer.ts';
import type { Snapshots } from './snapshots.ts';

export type AccountWriter = WriterOf<typeof ACCOUNT>;

interface AccountOptions extends Pick<
  StreamWriterOptions<AccountState, TradingPolicy>,
  'codec' | 'now' | 'clock' | 'onLost' | 'onAway'
> {
  readonly store: EventStore;
  readonly account: string;
  readonly policy: TradingPolicy;
  readonly snapshots: Snapshots;
}

/**
 * Opens the only writer of an account; an append by another holder ends it. It reads the stream from the last snapshot
 * on. Rejects with `STORE_UNAVAILABLE`, or with `STREAM_CORRUPT` for a corrupt record.
 */
export function openAccount({
  account,
  policy,
  snapshots,
  ...options
}: AccountOptions): Promise<AccountWriter> {
  const stream = accountStream(account);
  const begin = () => fromSnapshot(options.store, stream, snapshots);
  return StreamWriter.open(ACCOUNT, stream, { ...options, context: policy, begin });
}

/** A snapshot counts only if the stream has exactly the event after which it was taken. */
async function fromSnapshot(
  store: EventStore,
  stream: string,
  snapshots: Snapshots,
): Promise<Loaded<AccountState> | undefined> {
  const snapshot = await snapshots.read();
  if (snapshot === undefined) return undefined;
  const { state, revision, eventId } = snapshot;
  for await (const event of store.readStream(stream, { from: revision, limit: 1 })) {
    if (event.id === eventId) return { state, revision, position: event.position };
  }
  return undefined;
}
