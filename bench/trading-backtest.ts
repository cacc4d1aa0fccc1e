import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { median } from '../testing/quantile.ts';
import { KINDS, type Kind } from './backtest-kinds.ts';
import type { Run } from './backtest-child.ts';

export interface BacktestRate {
  readonly what: string;
  readonly bars: number;
  readonly trades: number;
  /** Of CPU time, which other work on the machine disturbs less; median over the rounds. */
  readonly barsPerCpuSecond: number;
  /** The same beside grademark's run of the same round; median over the rounds. */
  readonly ratio: number;
}

const ROUNDS = 9;

/**
 * A moving-average crossover over the same ten years: one ticker in grademark and here, and all tickers here; built in,
 * and as a strategy on the port. Each kind has a process of its own, so that none warms the code of another up, and they
 * run in turn, so that a machine whose speed changes changes it for all.
 */
export async function measureBacktest(): Promise<BacktestRate[]> {
  const kinds = Object.keys(KINDS) as Kind[];
  const children = await Promise.all(kinds.map(start));
  const rates = kinds.map((): number[] => []);
  let last: Run[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    last = [];
    for (const [n, child] of children.entries()) {
      const run = await runOnce(child);
      rates[n]!.push((run.bars / run.cpu) * 1_000_000);
      last.push(run);
    }
  }
  for (const child of children) child.disconnect();
  return kinds.map((what, n) => ({
    what,
    bars: last[n]!.bars,
    trades: last[n]!.trades,
    barsPerCpuSecond: median(rates[n]!),
    ratio: median(rates[n]!.map((rate, round) => rate / rates[0]![round]!)),
  }));
}

async function start(kind: Kind): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'backtest-child.ts'), [kind]);
  await once(child, 'message');
  return child;
}

async function runOnce(child: ChildProcess): Promise<Run> {
  const ran = once(child, 'message');
  child.send('run');
  const [run] = (await ran) as [Run];
  return run;
}
