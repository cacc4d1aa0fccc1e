import type { Logger } from 'pino';
import type { TradingPolicy } from '../../actors/trading/commands.ts';
import { newCall } from '../../events/messages/define.ts';
import { openAll } from '../strategies/open-all.ts';
import { OwnStrategies } from '../strategies/run-own-strategies.ts';
import type { AccountWriter } from './account/account.ts';
import type { Market } from './ask-market.ts';
import type { Predictions } from './ask-model.ts';
import type { OwnSettings } from './settings.ts';
import type { StrategyRunner } from './strategy-runner.ts';

interface OwnRunnerOptions {
  readonly account: string;
  readonly policy: TradingPolicy;
  readonly writer: Pick<AccountWriter, 'read' | 'submit'>;
  readonly market: Pick<Market, 'tickers'>;
  readonly predictions: Predictions;
  readonly logger: Logger;
  readonly own: OwnSettings;
}

/** What the strategy's actor does where the operator's own strategies trade: the same as in a backtest, on the account's record. */
export async function runOwn(
  options: OwnRunnerOptions,
): Promise<StrategyRunner & { close(): Promise<void> }> {
  const { account, policy, writer, market, predictions, logger, own } = options;
  const { sources, parameters } = own;
  let tickers = new Set<string>();
  const strategies = new OwnStrategies({
    account: {
      name: account,
      read: (look) => writer.read(look),
      submit: (command, call) => writer.submit(command, newCall(call)),
    },
    policy,
    strategies: await openAll(sources, {
      parameters,
      hasTicker: (ticker) => tickers.has(ticker),
      onPrinted: (strategy, line) => logger.info({ strategy }, line),
    }),
    onFault: (strategy, { message, file, line }) =>
      logger.error(
        { strategy, file, line, fault: message },
        'a strategy has failed and is halted; the others and orders by hand go on',
      ),
  });

  return {
    name: sources.map(({ name }) => name).join(','),
    warmUp: 0,
    wholeSessions: strategies.history,

    async begin({ date, closed, sessions }) {
      tickers = new Set(await market.tickers());
      await strategies.take();
      const hasActed = await writer.read(({ sessionsRun }) => sessionsRun > 0);
      const session = closed && hasActed ? sessions.find((one) => one.date === date) : undefined;
      strategies.begin(sessions.filter((one) => one.date !== session?.date));
      const day = session && { date: session.date, splits: session.splits, bars: [], session };
      return { day: day ?? null, missed: null };
    },

    // Its memory is on record.
    resume: async () => null,

    async decide({ day: { date, session } }, signal) {
      if (session === undefined) return { date, orders: [] };
      for (const ticker of Object.keys(session.bars)) tickers.add(ticker);
      await strategies.decide(session, () => predictions.after(date, signal));
      return { date, orders: [], session };
    },

    async submit({ session }) {
      if (session !== undefined) await strategies.submit(session);
    },

    close: () => strategies.close(),
  };
}
