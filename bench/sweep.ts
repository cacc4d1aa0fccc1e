import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { loadSessions } from '../services/backtest/sessions.ts';
import { gridOf, parseAxis, type Combination } from '../services/backtest/sweep/parameter-space.ts';
import { runTrials } from '../services/backtest/sweep/run-trials.ts';
import type { TrialInput } from '../services/backtest/sweep/trial.ts';
import { runTrial } from '../services/backtest/sweep/trial.ts';
import { readSettings } from '../services/composition/settings.ts';

const WORKERS = 2;

/** The rounds in which both are measured, one after the other, so that what else the machine does falls on both. */
const ROUNDS = 5;

/**
 * `npm run bench -- sweep [--runs 500]`: a sweep on two threads beside a bare loop over the same combinations in two
 * threads, each of which gets half of them at once, in turns; and beside one thread, over the combinations of one round.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { runs: { type: 'string', default: '500' } } });
  const runs = Number(values.runs);
  const { market, trading } = readSettings({
    TD_STRATEGY: new URL('../examples/strategies/momentum.ts', import.meta.url).pathname,
    TD_TICKERS: 'DEMO-OAK,DEMO-PINE',
  });
  const { sessions, tickers } = await loadSessions(market, {
    to: null,
    now: () => new Date(),
    onTicker: () => undefined,
  });
  const { policy, rules, cash, currency, own } = trading;
  const from = '2024-01-01';
  const input: TrialInput = {
    sessions,
    tickers,
    from,
    policy,
    rules,
    cash,
    currency,
    source: own!.sources[0]!,
  };
  const combinations = gridOf([parseAxis('lookback=20..219:1'), parseAxis('held=1,2,3')]).slice(0, runs);

  const size = Math.ceil(combinations.length / ROUNDS);
  const rounds = Array.from({ length: ROUNDS }, (_, at) => combinations.slice(at * size, (at + 1) * size));
  const ways = [bareLoop, sweepOf];
  const took = ways.map(() => 0);
  for (const [at, part] of rounds.entries()) {
    // Each second round the other one begins.
    for (const way of at % 2 === 0 ? ways : ways.toReversed())
      took[ways.indexOf(way)]! += await seconds(() => way(part, input));
  }
  const of = await seconds(async () => {
    for (const parameters of rounds[0]!) await runTrial(parameters, input);
  });
  const one = (of / rounds[0]!.length) * combinations.length;
  const [bare, swept] = took as [number, number];
  console.log(
    `${combinations.length} runs of ${sessions.filter(({ date }) => date >= from).length} sessions, in ${ROUNDS} rounds`,
  );
  console.table([
    {
      what: `one thread (${rounds[0]!.length} runs, scaled)`,
      seconds: one.toFixed(1),
      'speed-up': '1.00',
    },
    { what: 'a bare loop in two threads', seconds: bare.toFixed(1), 'speed-up': (one / bare).toFixed(2) },
    { what: 'the sweep on two threads', seconds: swept.toFixed(1), 'speed-up': (one / swept).toFixed(2) },
  ]);
  console.log(`The sweep has ${((bare / swept) * 100).toFixed(0)} % of the speed-up of the bare loop.`);
}

const sweepOf = (combinations: readonly Combination[], input: TrialInput): Promise<void> =>
  runTrials(combinations, input, {
    workers: WORKERS,
    signal: new AbortController().signal,
    onTrial: async () => undefined,
    onFailure: (failure) => {
      throw new Error(failure);
    },
  });

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

/** Nobody hands anything out: what a thread does is settled before. */
async function bareLoop(combinations: readonly Combination[], input: TrialInput): Promise<void> {
  const parts = Array.from({ length: WORKERS }, (_, part) =>
    combinations.filter((_, at) => at % WORKERS === part),
  );
  await Promise.all(
    parts.map(
      (part) =>
        new Promise<void>((resolve, reject) => {
          const worker = new Worker(new URL('sweep-loop.ts', import.meta.url), {
            workerData: { input, combinations: part },
          });
          worker.on('error', reject);
          worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`))));
        }),
    ),
  );
}
