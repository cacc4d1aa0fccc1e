import type { TickerResult } from '../../actors/market-update/update.ts';
import { parseRatio } from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import { asTraded } from './adjust-prices.ts';
import { columnsOf } from './bar-columns.ts';
import { SourceFaults, type BarSource, type Fetched } from './sources/source.ts';
import type { MarketStore } from './store.ts';
import { findWarnings, type Warning } from './bar-warnings.ts';

/** The time limit for one ticker, including retries of the source. */
const TIMEOUT_MS = 120_000;
const MAX_FAULTS = 100;

/**
 * Fetches one ticker, checks its data and stores it. If something is wrong with the data, the result says so, and the
 * stored data stays as it is. If this update has stored the ticker before a crash, the result comes from the store.
 * Rejects with `SERVICE_UNAVAILABLE` when the source is away.
 */
export async function importTicker(
  { store, source, now }: { store: MarketStore; source: BarSource; now: () => Date },
  { ticker, updateId, full }: { ticker: string; updateId: string; full: boolean },
  signal: AbortSignal,
): Promise<TickerResult> {
  const state = store.state(ticker);
  if (state?.update_id === updateId && state.outcome.status === 'updated') return state.outcome;
  const since = full ? null : (state?.last ?? null);
  try {
    const fetched = await fetchInTime(source, ticker, since, signal);
    assertGood(ticker, fetched);
    const data = asTraded(fetched);
    const first = data.bars[0]?.date;
    const before = first === undefined ? [] : store.read((bars) => bars.of(ticker, 1, first, first));
    const last = data.bars.at(-1)?.date ?? '';
    const warnings: Warning[] = [
      ...(fetched.notes ?? []).map((detail) => ({ date: last, kind: 'adjusted' as const, detail })),
      ...findWarnings(columnsOf([...before, ...data.bars]), data.splits, data.dividends),
    ];
    const complete = fetched.complete === true && since === null;
    const at = now().toISOString();
    return store.update(ticker, data, { updateId, at, complete, warnings });
  } catch (error) {
    if (!(error instanceof SourceFaults)) throw error;
    return { status: 'failed', faults: error.faults };
  }
}

async function fetchInTime(
  source: BarSource,
  ticker: string,
  since: string | null,
  signal: AbortSignal,
): Promise<Fetched> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await source.fetch(ticker, since, AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    throw new BelegError('SERVICE_UNAVAILABLE', {
      detail: 'The source did not answer in time',
      cause: error,
    });
  }
}

/** Checks the properties of the data that readers of the store rely on, whatever the source is. */
function assertGood(ticker: string, { bars, splits, dividends }: Fetched): void {
  const faults: string[] = [];
  for (const bar of bars) {
    const good = isPrice(bar.open) && isPrice(bar.high) && isPrice(bar.low) && isPrice(bar.close);
    if (!good) faults.push(`${ticker} ${bar.date}: a price is not greater than 0`);
    if (!Number.isSafeInteger(bar.volume) || bar.volume < 0) {
      faults.push(`${ticker} ${bar.date}: the volume is not a whole number of shares`);
    }
  }
  for (const { date, ratio } of splits) {
    try {
      parseRatio(ratio);
    } catch {
      faults.push(`${ticker} ${date}: the split is not a ratio`);
    }
  }
  for (const { date, amount } of dividends) {
    if (!isPrice(amount)) faults.push(`${ticker} ${date}: the dividend is not greater than 0`);
  }
  for (const list of [bars, splits, dividends]) {
    const at = list.findIndex(({ date }, place) => place > 0 && date <= list[place - 1]!.date);
    if (at > 0) faults.push(`${ticker} ${list[at]!.date}: the date appears twice or out of order`);
  }
  if (faults.length > 0) throw new SourceFaults(faults.slice(0, MAX_FAULTS));
}

const isPrice = (value: number): boolean => Number.isFinite(value) && value > 0;
