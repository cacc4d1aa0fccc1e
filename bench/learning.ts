import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Score } from '../services/models/data/r-squared.ts';
import { learn, type LearningOptions } from '../services/models/training/learning.suite.ts';

const REFERENCE: Omit<LearningOptions, 'shuffled'> = {
  spec: { features: 8, sequence_length: 60, hidden_channels: 64, num_heads: 4, layers: 2, dropout: 0.1 },
  settings: { batch_size: 32, epochs: 8, learning_rate: 0.001, seed: 7 },
  // 300 steps an epoch.
  windows: { train: 9_600, validation: 1_920, test: 1_920 },
};

/**
 * `npm run bench -- learning [--epochs 8]`: what the network of reference size learns from a signal of which at most an R² of
 * 0.50 can be learnt, and from one of which nothing can be.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { epochs: { type: 'string', default: String(REFERENCE.settings.epochs) } },
  });
  const settings = { ...REFERENCE.settings, epochs: Number(values.epochs) };
  const steps = 300 * settings.epochs;
  console.log(`${steps} steps of 32 windows, ${availableParallelism()} cores; R² of the validation part\n`);
  for (const shuffled of [false, true]) {
    const from = performance.now();
    const learnt = await learn({
      ...REFERENCE,
      settings,
      shuffled,
      onEpoch: (epoch) => process.stderr.write(`\repoch ${epoch} of ${settings.epochs}`),
    });
    process.stderr.write('\r');
    const seconds = ((performance.now() - from) / 1_000).toFixed(0);
    console.log(shuffled ? `Targets shuffled (${seconds} s)` : `At most 0.50 can be learnt (${seconds} s)`);
    console.table(
      Object.entries(learnt).map(([what, score]: [string, Score]) => ({
        what,
        return: score.return.toFixed(3),
        volatility: score.volatility.toFixed(3),
      })),
    );
  }
}
