import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { checkStrategy } from '../backtest/check-strategy.ts';
import { checkedWords } from '../backtest/check-words.ts';
import { shownNotes } from '../backtest/shown-notes.ts';
import { isLeftOut, loadSessions } from '../backtest/sessions.ts';
import { readSettings } from '../composition/settings.ts';
import { StrategyFault } from '../strategies/fault.ts';
import { openStrategy } from '../strategies/own-strategy.ts';
import { startProgressBar } from './progress-bar.ts';
import { UncertainError, UsageError } from './report-failure.ts';

const exampleOf = (name: string): URL => new URL(`../../examples/strategies/${name}.ts`, import.meta.url);
const TYPES = new URL('../../actors/strategy/port.ts', import.meta.url);
const TYPES_NAME = 'beleg-strategy.d.ts';

/** `beleg strategy new`: writes a copy of an example and the types for an editor. It overwrites nothing. */
export async function strategyNew(file: string, from: string): Promise<void> {
  if (!/\.(ts|js)$/.test(file)) throw new UsageError(`${file} must end in .ts or .js`);
  const example = await readFile(exampleOf(from), 'utf8');
  const text = example.replace('../../actors/strategy/port.ts', `./${TYPES_NAME}`);
  try {
    await writeFile(file, file.endsWith('.js') ? withoutTypes(text) : text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new UsageError(`${file} is there already`, { cause: error });
    throw error;
  }
  const types = join(dirname(file), TYPES_NAME);
  await copyFile(TYPES, types);
  const shown = relative('.', file);
  const named = shown.startsWith('.') ? shown : `./${shown}`;
  console.log(`${file} is a strategy that runs as it is; ${types} has its types.`);
  console.log(`Test it:      npx beleg backtest --strategy ${named}`);
  console.log(`Check it:     npx beleg strategy check ${named}`);
  console.log(`Run it live:  TD_STRATEGY=${named} npm start`);
}

/** The example in JavaScript, with a comment that gives an editor its type. */
const withoutTypes = (text: string): string =>
  stripTypeScriptTypes(text)
    .replaceAll(/ +(?=;?$)/gm, '')
    .replace(/^\s+/, '')
    .replace('export default {', `/** @type {import('./${TYPES_NAME}').Strategy} */\nexport default {`);

interface CheckArguments {
  readonly param?: readonly string[];
  readonly tickers?: string;
  readonly to?: string;
}

/**
 * `beleg strategy check`: exits with 1 if the strategy's decisions depend on anything but the data that it is shown,
 * and with 4 if it could not be judged because an answer was late.
 */
export async function strategyCheck(text: string, options: CheckArguments): Promise<void> {
  const { market, trading } = readSettings({
    ...process.env,
    TD_TICKERS: options.tickers ?? process.env['TD_TICKERS'],
    TD_STRATEGY: text,
    TD_STRATEGY_PARAMS: options.param?.join(',') ?? process.env['TD_STRATEGY_PARAMS'],
  });
  const { own } = trading;
  const [source, more] = own?.sources ?? [];
  if (own === undefined || source === undefined || more !== undefined) {
    throw new UsageError(`${text} is no strategy of your own: name one file, or exec: with a command`);
  }
  const loaded = await loadSessions(market, {
    to: options.to ?? null,
    now: () => new Date(),
    onTicker: () => undefined,
  });
  for (const note of [...loaded.notes.filter(isLeftOut), ...shownNotes(loaded.sessions)]) console.log(note);
  const hasTicker = (ticker: string): boolean => loaded.tickers.includes(ticker);
  const { policy, rules, cash, currency } = trading;
  using running = startProgressBar('checking', { of: 'runs' });
  const checked = await checkStrategy({
    source,
    open: () => openStrategy(source, { parameters: own.parameters, hasTicker }),
    sessions: loaded.sessions,
    policy,
    rules,
    cash,
    currency,
    onRun: running.update,
  }).catch((error: unknown) => {
    throw error instanceof StrategyFault && error.isLate ? notJudged(source.name, error) : error;
  });
  running.stop();
  if (checked.difference !== null) throw new Error(`${source.name} is not cleared: ${checked.difference}`);
  for (const line of checkedWords(source, checked)) console.log(line);
}

const notJudged = (name: string, fault: StrategyFault): Error =>
  new UncertainError(
    `${name} could not be judged: ${fault.told}. On a busy machine that says nothing of the strategy: check it again when there is less to do`,
    { cause: fault },
  );
