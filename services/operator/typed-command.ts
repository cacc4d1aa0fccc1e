import { MarketVariables } from '../market/settings.ts';
import { TrainingVariables } from '../models/settings.ts';
import { TradingVariables } from '../trading/settings.ts';
import type { Options } from './settings-with-options.ts';
import { wordSet } from '../../kb/word-list.ts';

/** Settings of live trading and of training, which do not change a backtest. */
const OF_OTHERS = wordSet(`
  TD_ACCOUNT TD_FEED_FROM TD_FEED_SPEED TD_POLL_MINUTES TD_MODEL_BATCH_SIZE TD_MODEL_EPOCHS
  TD_MODEL_LEARNING_RATE TD_MODEL_PROVIDER TD_MODEL_SEED TD_MODEL_THREADS`);

/** The settings that can change the result of a backtest. Stored bars and weights are in `DATA_DIR`. */
const OF_BACKTESTS = [
  'DATA_DIR',
  ...Object.keys({ ...MarketVariables, ...TradingVariables, ...TrainingVariables }),
].filter((name) => !OF_OTHERS.has(name));

/**
 * The command as it was typed, with the settings that can change its result, so that it can be pasted into a shell in
 * the same folder.
 *
 * @param options the command's options that replace a setting; such a setting is not named.
 */
export function repeatableCommand(
  options: Options,
  { argv, env }: Readonly<Pick<NodeJS.Process, 'argv' | 'env'>> = process,
): string {
  const settings = OF_BACKTESTS.flatMap((name) => {
    const value = env[name]?.trim() ?? '';
    return value === '' || options[name]?.[1] !== undefined ? [] : [`${name}=${quoted(value)}`];
  });
  return [...settings, 'npx beleg', ...argv.slice(2).map(quoted)].join(' ');
}

const quoted = (word: string): string =>
  /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
