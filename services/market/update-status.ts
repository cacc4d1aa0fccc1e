import { basename } from 'node:path';
import type { z } from 'zod';
import type { PipelineStatus } from '../../events/messages/market.ts';
import type { OpenedSource } from './sources/open-source.ts';
import type { MarketSettings } from './settings.ts';
import type { MarketStore } from './store.ts';
import { warningNotes } from './bar-warnings.ts';

/** Bars count as old after this many failed polls in a row. */
const STALE_AFTER_POLLS = 3;
/** The most failed tickers of a reply, and the most faults of each, so that the reply stays small. */
const MAX_FAILED = 200;
const MAX_FAULTS = 20;

/** The reason for a ticker whose table was removed, or that `TD_TICKERS` no longer names. */
const REMOVED =
  'it is no longer in the market data. What was read of it before stays, so that a position in it has a price; without further bars it counts as gone after 20 sessions';

/** The reason for a ticker that only an earlier update could read. */
const KEPT =
  'the last update could not read it, for what `failed` says. What was read of it before stays, and it can be traded by that';

/**
 * The state of the data. `uninitialized`: nothing has begun; `loading`: the first update is running; `updating`: a
 * later one is; `error`: no bars, and the last update brought none; `stale`: there are bars, but the last update failed
 * for all tickers, or three polls of the source failed; `ready` otherwise, even if some tickers failed (`failed` names
 * them; `*` stands for the whole source).
 */
export function pipelineStatus(
  { source, polled }: OpenedSource,
  settings: MarketSettings,
  store: MarketStore,
  { running, sourceFault, now }: { running: boolean; sourceFault: string | null; now: Date },
): z.output<typeof PipelineStatus> {
  const { listed: states, removed } = store.tickers();
  const updatedAt = store.note('updated_at');
  const failed = states.flatMap(({ ticker, outcome }) =>
    outcome.status === 'failed' ? [{ ticker, faults: outcome.faults.slice(0, MAX_FAULTS) }] : [],
  );
  const leftOut = JSON.parse(store.note('left_out') ?? '[]') as string[];
  const ofTickers = states.flatMap(({ ticker, outcome }) =>
    outcome.status === 'updated' ? warningNotes(ticker, outcome.warnings) : [],
  );
  const all = [...states, ...removed];
  const firsts = all.flatMap(({ first }) => first ?? []).sort();
  const lasts = all.flatMap(({ last }) => last ?? []).sort();
  const age = updatedAt === null ? 0 : now.getTime() - Date.parse(updatedAt);
  const isOld = polled && age > STALE_AFTER_POLLS * settings.pollMinutes * 60_000;
  const gotNothing = sourceFault !== null || (states.length > 0 && failed.length === states.length);
  const loaded = store.note('complete_until') !== null;
  const idle = loaded
    ? isOld || gotNothing
      ? ('stale' as const)
      : ('ready' as const)
    : gotNothing
      ? ('error' as const)
      : ('uninitialized' as const);
  return {
    status: running ? (loaded ? 'updating' : 'loading') : idle,
    tickers_loaded: states.filter(({ bars }) => bars > 0).length,
    db_path: basename(settings.dbPath),
    source: source.name,
    synthetic: source.synthetic,
    bars: all.reduce((sum, { bars }) => sum + bars, 0),
    first: firsts[0] ?? null,
    last: lasts.at(-1) ?? null,
    updated_at: updatedAt,
    failed: [...(sourceFault === null ? [] : [{ ticker: '*', faults: [sourceFault] }]), ...failed].slice(
      0,
      MAX_FAILED,
    ),
    notes: [
      ...leftOut.map((file) => `LEFT OUT: ${file}`),
      ...removed.map(({ ticker }) => `${ticker}: ${REMOVED}`),
      ...states
        .filter(({ outcome, bars }) => outcome.status === 'failed' && bars > 0)
        .map(({ ticker }) => `${ticker}: ${KEPT}`),
      ...ofTickers,
    ].slice(0, MAX_FAILED),
  };
}
