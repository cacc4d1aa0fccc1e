import { pino } from 'pino';
import { evolve } from '../actors/trading/evolve.ts';
import { stateHash } from '../actors/trading/snapshot.ts';
import { initialState } from '../actors/trading/state.ts';
import type { AccountEvent } from '../events/catalog/catalog.ts';
import { accountStream } from '../events/catalog/trading.ts';
import { readSettings } from '../services/composition/settings.ts';
import { openRuntime } from '../services/composition/runtime.ts';
import { openAccount } from '../services/trading/account/account.ts';
import { median } from '../testing/quantile.ts';

export interface ReplayRates {
  readonly events: number;
  /** Read, checked against the catalogue and folded, as a start without a snapshot does. */
  readonly fromStore: number;
  /** Folded alone. */
  readonly folded: number;
}

/** What a start reads, on the record that another benchmark left. */
export async function measureReplay(folder: string): Promise<ReplayRates> {
  const settings = readSettings({ DATA_DIR: folder });
  const { account, policy } = settings.trading;
  const runtime = await openRuntime(settings, pino({ level: 'silent' }));
  try {
    const snapshots = { read: () => Promise.resolve(undefined), write: () => Promise.resolve() };
    const events: AccountEvent[] = [];
    for await (const event of runtime.store.readStream(accountStream(account))) {
      events.push((await runtime.codec.decode(event)) as AccountEvent);
    }
    let hash = '';
    const rates: number[] = [];
    for (let run = 0; run < 3; run++) {
      const began = performance.now();
      const { state } = await openAccount({ ...runtime, account, snapshots, policy, now: () => new Date() });
      rates.push((events.length / (performance.now() - began)) * 1_000);
      hash = stateHash(state);
    }
    const folds = [1, 2, 3].map(() => {
      const began = performance.now();
      const state = events.reduce(evolve, initialState());
      const rate = (events.length / (performance.now() - began)) * 1_000;
      if (stateHash(state) !== hash) throw new Error('a fold that differs from the replay');
      return rate;
    });
    return { events: events.length, fromStore: median(rates), folded: median(folds) };
  } finally {
    await runtime.close();
  }
}
