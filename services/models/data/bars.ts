import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { dateOf, DAY_MS } from '../../../events/dates.ts';
import { Ticker } from '../../../events/messages/ticker.ts';
import { writeDurably } from '../../../kb/snapshot/durable-file.ts';
import { SafetensorsError, type Tensor } from '../weights/safetensors.ts';
import { decodeSealed, encodeSealed, numbersOf, readSealed } from '../weights/sealed-file.ts';

const FIGURES = ['open', 'high', 'low', 'close', 'volume'] as const;
type Figure = (typeof FIGURES)[number];

/** The daily bars of a ticker, oldest first, all split-adjusted as of the same day. */
export interface TickerBars extends Readonly<Record<Figure, Float64Array>> {
  readonly ticker: string;
  /** `YYYY-MM-DD`, one for each bar. */
  readonly dates: readonly string[];
}

/** An object with one value for each figure of a bar. */
export function figuresOf<T>(of: (figure: Figure) => T): Record<Figure, T> {
  return Object.fromEntries(FIGURES.map((figure) => [figure, of(figure)])) as Record<Figure, T>;
}

const KIND = { name: 'beleg-bars-1', description: z.object({ tickers: z.array(Ticker) }) };

/**
 * Writes bars to a file that survives a crash, with a turn of the event loop between two tickers. Rejects with the
 * fault of the disk.
 */
export async function writeBars(file: string, bars: readonly TickerBars[]): Promise<void> {
  const tensors = new Map<string, Tensor>();
  for (const { ticker, dates, ...figures } of bars) {
    await setImmediate();
    const shape = [dates.length];
    const days = Int32Array.from(dates, (date) => Date.parse(date) / DAY_MS);
    for (const name of FIGURES)
      tensors.set(`${ticker} ${name}`, { dtype: 'F64', shape, data: figures[name] });
    tensors.set(`${ticker} day`, { dtype: 'I32', shape, data: days });
  }
  await writeDurably(file, encodeSealed(KIND, { tickers: bars.map(({ ticker }) => ticker) }, tensors));
}

/**
 * Reads the bars. Rejects with `SafetensorsError` if the file is missing or damaged, and with the fault of the disk.
 */
export async function readBars(file: string): Promise<TickerBars[]> {
  const bytes = await readSealed(file);
  if (bytes === undefined) throw new SafetensorsError('the file of bars does not exist');
  const { description, tensors } = decodeSealed(KIND, bytes);
  return description.tickers.map((ticker) => {
    const shape = tensors.get(`${ticker} day`)?.shape ?? [];
    return {
      ticker,
      dates: Array.from(numbersOf(tensors, `${ticker} day`, 'I32', shape), dateOfDay),
      ...figuresOf((name) => numbersOf(tensors, `${ticker} ${name}`, 'F64', shape)),
    };
  });
}

const dateOfDay = (day: number): string => dateOf(day * DAY_MS);
