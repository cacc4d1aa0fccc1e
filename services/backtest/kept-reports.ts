import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ReturnFigures } from '../../events/messages/performance.ts';
import { writeDurably } from '../../kb/snapshot/durable-file.ts';
import type { BacktestSummary } from './summary.ts';

/** The number of reports that are kept; older ones are removed. */
export const KEPT_REPORTS = 50;

/** An id begins with the time, so that ids sort by age, and ends with a hash of the content. */
const ReportId = z.string().regex(/^\d{8}T\d{6}Z-[0-9a-f]{8}$/);

const { totalReturn, annualReturn, annualVolatility, maxDrawdown, sharpe } = ReturnFigures.shape;

/** The entry of a report in a list. */
export const KeptReport = z.object({
  id: ReportId,
  created_at: z.iso.datetime(),
  strategy: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  source: z.string().describe('Where the bars come from'),
  synthetic: z.boolean().describe('True if the bars are synthetic, not from a real market'),
  tickers: z.int().describe('Number of tickers'),
  currency: z.string(),
  final: z.number().describe('Value at the close of the last session'),
  performance: z.object({ totalReturn, annualReturn, annualVolatility, maxDrawdown, sharpe }),
  benchmarks: z.array(z.object({ name: z.string(), totalReturn })),
});
export type KeptReport = z.output<typeof KeptReport>;

/**
 * Stores a report in a folder, which is created, and removes the oldest beyond the limit. Returns its id. The page is
 * written before the entry, so that a listed report is complete.
 */
export async function keepReport(
  folder: string,
  { html, summary, now }: { readonly html: string; readonly summary: BacktestSummary; readonly now: Date },
): Promise<string> {
  const moment = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const id = `${moment}-${hash('sha256', html, 'hex').slice(0, 8)}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeDurably(join(folder, `${id}.html`), html, { mode: 0o600 });
  await writeDurably(join(folder, `${id}.json`), `${JSON.stringify(entryOf(id, summary, now), null, 2)}\n`, {
    mode: 0o600,
  });
  for (const old of (await idsIn(folder)).slice(0, -KEPT_REPORTS)) {
    await rm(join(folder, `${old}.json`), { force: true });
    await rm(join(folder, `${old}.html`), { force: true });
  }
  return id;
}

function entryOf(id: string, summary: BacktestSummary, now: Date): KeptReport {
  const { strategy, from, to, source, synthetic, tickers, currency, final, performance, benchmarks } =
    summary;
  return {
    id,
    created_at: now.toISOString(),
    strategy,
    from,
    to,
    source,
    synthetic,
    tickers: tickers.length,
    currency,
    final,
    performance: {
      totalReturn: performance.totalReturn,
      annualReturn: performance.annualReturn,
      annualVolatility: performance.annualVolatility,
      maxDrawdown: performance.maxDrawdown,
      sharpe: performance.sharpe,
    },
    benchmarks: benchmarks.map(({ name, performance: of }) => ({ name, totalReturn: of.totalReturn })),
  };
}

/** The reports of a folder, newest first; empty if the folder does not exist. Unreadable ones are left out. */
export async function listReports(folder: string): Promise<KeptReport[]> {
  const ids = (await idsIn(folder)).reverse();
  const found = await Promise.all(
    ids.map(async (id) => {
      const text = await readFile(join(folder, `${id}.json`), 'utf8').catch(() => '');
      return KeptReport.safeParse(parsed(text)).data;
    }),
  );
  return found.filter((report) => report !== undefined);
}

/** The page of a report; `undefined` if the id is unknown. */
export async function readReport(folder: string, id: string): Promise<string | undefined> {
  if (!ReportId.safeParse(id).success) return undefined;
  return readFile(join(folder, `${id}.html`), 'utf8').catch(() => undefined);
}

/** The ids, oldest first. */
async function idsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .filter((id) => ReportId.safeParse(id).success)
    .sort();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
