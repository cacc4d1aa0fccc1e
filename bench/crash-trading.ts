import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Environment } from '../services/config.ts';
import { writeMarket } from './crash-trading/market.ts';
import { checkTradingRecord } from './crash-trading/record-check.ts';
import { scriptOf } from './crash-trading/script.ts';
import { seeded } from './seeded.ts';

const CHILD = join(import.meta.dirname, 'crash-trading', 'child.ts');
const STEPS = 60;

export interface TradingCrashReport {
  readonly stories: number;
  readonly kills: number;
  readonly orders: number;
  readonly fills: number;
  readonly events: number;
  /** Where processes were killed, by the kind of boundary. */
  readonly where: Readonly<Record<string, number>>;
  /** Empty when nothing acknowledged was lost or doubled and all accounts add up. */
  readonly faults: readonly string[];
}

interface Ending {
  readonly killed?: string;
  readonly finished?: boolean;
  readonly boundaries?: number;
}

/**
 * Stories of one seed each: a client trades on a small market of its own while the process is killed at appends and
 * publishings of account and broker, sometimes stopped in order, until it got through; then the record is read as a whole.
 * `killsEach` kills a story; the boundaries are drawn from all that an undisturbed run passes.
 */
export async function crashTrading(options: {
  stories: number;
  killsEach: number;
  seed: number;
  onStory?: (story: number) => void;
}): Promise<TradingCrashReport> {
  const report = { stories: 0, kills: 0, orders: 0, fills: 0, events: 0 };
  const where: Record<string, number> = {};
  const faults: string[] = [];
  for (let story = 0; story < options.stories; story++) {
    const seed = options.seed + story;
    const random = seeded(seed);
    const folder = await mkdtemp(join(tmpdir(), 'beleg-crash-'));
    try {
      const from = await writeMarket(join(folder, 'bars'), random);
      const environment: Environment = {
        DATA_DIR: join(folder, 'data'),
        TD_SOURCE: `csv:${join(folder, 'bars')}`,
        TD_FEED_FROM: from,
        TD_FEED_SPEED: '100',
        TD_SETTLEMENT_SESSIONS: String(seed % 3),
        LOG_LEVEL: 'silent',
      };
      const answersFile = join(folder, 'answers.jsonl');
      const run = (more: Record<string, number>) => runChild(environment, { seed, answersFile, more });
      let left = options.killsEach;
      for (;;) {
        const killing = left-- > 0;
        // The first boundaries of a start are where it takes up what was cut off; the later ones are trading.
        const at = Math.ceil(random() ** 2 * 150);
        const ending = await run(
          !killing ? {} : random() < 0.15 ? { 'stop-at': Math.ceil(random() * STEPS) } : { 'kill-at': at },
        );
        if (ending.killed !== undefined) {
          report.kills += 1;
          const kind = kindOf(ending.killed);
          where[kind] = (where[kind] ?? 0) + 1;
        } else if (ending.finished === true) break;
      }
      const steps = scriptOf(seeded(seed), STEPS);
      const checked = await checkTradingRecord(environment, { steps, answersFile });
      faults.push(...checked.faults.map((fault) => `seed ${seed}: ${fault}`));
      report.stories += 1;
      report.orders += checked.orders;
      report.fills += checked.fills;
      report.events += checked.events;
    } catch (error) {
      faults.push(`seed ${seed}: ${String(error)}`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    options.onStory?.(story + 1);
  }
  return { ...report, where, faults };
}

/** `after append to account-main: OrderFilled, …` → `after append to account-main: OrderFilled`. */
const kindOf = (killed: string): string => killed.split(',')[0]!;

async function runChild(
  environment: Environment,
  { seed, answersFile, more }: { seed: number; answersFile: string; more: Record<string, number> },
): Promise<Ending> {
  const args = Object.entries({ seed, steps: STEPS, ...more }).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', CHILD, `--answers=${answersFile}`, ...args],
    {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        ORT_DISABLE_TELEMETRY: '1',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const last = out.trim().split('\n').at(-1) ?? '';
  if (last === '') throw new Error(`a process ended without a word: ${err.slice(0, 500)}`);
  return JSON.parse(last) as Ending;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      stories: { type: 'string', default: '100' },
      kills: { type: 'string', default: '5' },
      seed: { type: 'string', default: String(Date.now()) },
    },
  });
  const report = await crashTrading({
    stories: Number(values.stories),
    killsEach: Number(values.kills),
    seed: Number(values.seed),
    onStory: (story) => process.stderr.write(`\r${story}/${values.stories} stories`),
  });
  process.stderr.write('\n');
  console.log(JSON.stringify({ seed: Number(values.seed), ...report }, null, 2));
  process.exitCode = report.faults.length === 0 ? 0 : 1;
}
