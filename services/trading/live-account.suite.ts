import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { z } from 'zod';
import type { PaperRules } from '../../actors/paper-broker/rules.ts';
import { noStrategy } from '../../actors/strategy/strategies.ts';
import type { AccountDraft, TradingPolicy } from '../../actors/trading/commands.ts';
import { accountStream } from '../../events/catalog/trading.ts';
import { ownStrategies } from '../strategies/named.ts';
import { closeAll, openAll } from '../strategies/open-all.ts';
import type { OwnSettings } from './settings.ts';
import { POLICY } from '../../actors/trading/account.suite.ts';
import type { Strategy } from '../../actors/strategy/strategy.ts';
import type { MessageBus } from '../../events/bus/bus.ts';
import { parseMoney } from '../../events/decimal.ts';
import { call, type RequestDefinition } from '../../events/messages/define.ts';
import { AccountFigures } from '../../events/messages/performance.ts';
import * as messages from '../../events/messages/trading.ts';
import { PATIENT } from '../../events/patient.suite.ts';
import { FaultyStore } from '../../testing/faults/faulty-store.suite.ts';
import { Processes } from '../../testing/processes/processes.suite.ts';
import { Benchmarks } from '../backtest/benchmark.ts';
import type { CashFlow } from '../backtest/cash-flows.ts';
import { parametersOf } from '../backtest/parameters.ts';
import { summaryJson } from '../backtest/result-json.ts';
import { Backtest } from '../backtest/run-backtest.ts';
import { pointsOf } from '../backtest/sessions.ts';
import { summarise } from '../backtest/summary.ts';
import { dayOf, FakeMarket, TICKERS, withBarsOf, type FakeMarketOptions } from './market.suite.ts';
import { openPaperBroker } from './paper-broker/paper-broker.ts';
import { RULES } from './paper-broker/paper-broker.suite.ts';
import { serveTrading, type TradingService } from './serve-trading.ts';

/** The index, which is also traded. */
const INDEX = 'AAA';

/** Depends on the day alone, so that a repeated decision is the same and there is no memory to lose. */
export function byTheDay(): Strategy {
  return {
    name: 'by-the-day',
    parameters: {},
    warmUp: 2,
    usesPredictions: false,
    onSession: (bars, view) =>
      view === null
        ? []
        : Object.entries(bars).map(([ticker, { close }]) => ({
            ticker,
            weight: (Math.round(close) % 7) / 14,
          })),
  };
}

function ownSettings(folder: string, { files, named, parameters = {} }: OwnFiles): OwnSettings {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const placed = named.split(',').map((part) => join(folder, part));
  return { sources: ownStrategies(placed.join(',')), parameters };
}

const SETTINGS = {
  account: 'test',
  currency: 'USD',
  cash: parseMoney('100000'),
  strategy: 'none' as const,
  feedSpeed: 10_000,
  feedRests: false,
  riskFreePercent: 2.5,
  source: 'fake',
  policy: { ...POLICY, shorting: true },
  rules: RULES,
};

/** Strategies of one's own, as `TD_STRATEGY` names them, and their files by name. */
export interface OwnFiles {
  readonly files: Readonly<Record<string, string>>;
  /** Paths are seen from the folder of the files. */
  readonly named: string;
  readonly parameters?: Readonly<Record<string, number>>;
}

interface StartOptions {
  /** Instead of a built-in one. */
  readonly own?: OwnFiles;
  readonly policy?: Partial<TradingPolicy>;
  readonly rules?: Partial<PaperRules>;
}

/** An account that trades a small market live, and the backtest of the same sessions. */
export class LiveAccount {
  readonly market: FakeMarket;
  readonly #processes: Processes;
  readonly #client: MessageBus;
  readonly #warmUp: number;
  readonly #settings: typeof SETTINGS & { own?: OwnSettings };
  #store: FaultyStore;
  #service: TradingService | undefined;
  #lives = 0;

  private constructor(processes: Processes, market: FakeMarket, { own, policy, rules }: StartOptions) {
    this.#processes = processes;
    this.#settings = {
      ...SETTINGS,
      policy: { ...SETTINGS.policy, ...policy },
      rules: { ...SETTINGS.rules, ...rules },
      ...(own && { own: ownSettings(processes.folder, own) }),
    };
    this.#client = processes.connect();
    this.market = market;
    this.#warmUp = market.options.days;
    this.#store = new FaultyStore(processes.store);
    market.serve(processes.connect());
  }

  /** Trades are made from the first session after the warm-up on; `play` lets them come. */
  static async start(
    market: Omit<FakeMarketOptions, 'days'>,
    options: StartOptions = {},
  ): Promise<LiveAccount> {
    const fake = new FakeMarket({ ...market, days: market.warmUp });
    const account = new LiveAccount(await Processes.create(), fake, options);
    await account.open();
    await vi.waitFor(
      async () => expect(await account.ask(messages.StartTrading, {})).toEqual({ status: 'started' }),
      PATIENT,
    );
    return account;
  }

  async open(): Promise<void> {
    const process = await this.#processes.open();
    this.#store = new FaultyStore(this.#processes.store);
    const dataDir = join(this.#processes.folder, `life-${++this.#lives}`);
    mkdirSync(dataDir);
    const parts = { ...process, store: this.#store };
    this.#service = serveTrading({
      ...parts,
      settings: this.#settings,
      ...(this.#settings.own === undefined && { createStrategy: byTheDay }),
      openBroker: (options) => openPaperBroker({ ...parts, ...options, rules: this.#settings.rules }),
      dataDir,
    });
    await this.#service.allHeld;
  }

  /** Lets so many sessions come, and waits until they are closed. */
  async play(days: number): Promise<void> {
    this.market.extend(this.#client, days);
    const last = dayOf(this.market.options.days - 1);
    await vi.waitFor(
      async () =>
        expect(await this.ask(messages.TradingStatus, {})).toMatchObject({
          session: last,
          feed_waiting: true,
        }),
      PATIENT,
    );
  }

  /** Plays sessions in a process that dies after some of them; another one continues. */
  async playThroughDeath(days: number, deathAfter: number): Promise<void> {
    this.market.extend(this.#client, days);
    const session = dayOf(this.market.options.days - 1 - days + deathAfter);
    await vi.waitFor(async () => {
      const status = await this.ask(messages.TradingStatus, {});
      expect(status.session! >= session).toBe(true);
    }, PATIENT);
    await this.#die();
  }

  /** Plays sessions in a process that dies when it has opened one of them, before it has closed it; another one continues. */
  async playThroughCut(days: number, cutAfter: number): Promise<void> {
    this.market.extend(this.#client, days);
    const session = dayOf(this.market.options.days - 1 - days + cutAfter);
    const store = this.#store;
    store.downAfter = ({ type, data }) =>
      type === 'SessionOpened' && (data as { readonly session: string }).session === session;
    await vi.waitFor(() => expect(store.mode).toBe('down'), PATIENT);
    const sessions = (await this.recorded()).filter(({ type }) => type.startsWith('Session'));
    expect(sessions.at(-1)).toEqual({ type: 'SessionOpened', data: { session } });
    await this.#die();
  }

  async #die(): Promise<void> {
    this.#store.mode = 'down';
    await this.#service!.leave().catch(() => undefined);
    await this.open();
    await this.play(0);
  }

  ask<Req extends z.ZodType, Rep extends z.ZodType>(
    definition: RequestDefinition<Req, Rep>,
    payload: z.input<Req>,
  ): Promise<z.output<Rep>> {
    const callId = randomUUID();
    return call(this.#client, definition, payload, { correlationId: callId, callId });
  }

  performance(range: { from?: string; to?: string; benchmark?: string } = {}) {
    const { from = null, to = null, benchmark = null } = range;
    return this.ask(messages.AccountPerformance, { from, to, benchmark, lots: 'fifo' });
  }

  /** The result of `beleg backtest --json` for the same sessions and the same cash from outside. */
  backtested(flows: readonly CashFlow[] = []) {
    const sessions = Array.from({ length: this.market.options.days }, (_, n) => this.market.session(n));
    const indexSessions = sessions.map((session) => withBarsOf(session, INDEX));
    const from = dayOf(this.#warmUp);
    const strategy = byTheDay();
    const backtest = new Backtest({ ...SETTINGS, strategy, from, flows });
    const { rhythm } = pointsOf(sessions, from);
    const compared = { tickers: TICKERS, index: INDEX, rhythm, sessions, indexSessions };
    const benchmarks = new Benchmarks({ ...SETTINGS, from }, compared);
    for (const [at, session] of sessions.entries()) {
      backtest.run(session);
      benchmarks.run(session, indexSessions[at]!);
    }
    const summary = summarise(backtest, {
      strategy: strategy.name,
      parameters: parametersOf({ ...SETTINGS, strategy }),
      source: 'fake',
      synthetic: true,
      tickers: TICKERS,
      notes: [],
      earlierNotes: [],
      benchmarks: benchmarks.results,
      rhythm,
      model: null,
      data: '',
      command: '',
    });
    const result = summaryJson(summary);
    return { result, figures: AccountFigures.parse(result) };
  }

  /** All that is on the account's record. */
  async recorded(): Promise<AccountDraft[]> {
    const events: AccountDraft[] = [];
    for await (const { type, data } of this.#processes.store.readStream(accountStream('test'))) {
      events.push({ type, data } as AccountDraft);
    }
    return events;
  }

  /** The record of a backtest of the same sessions with the same files. */
  async backtestedOwn(): Promise<AccountDraft[]> {
    const { own } = this.#settings;
    const opened = await openAll(own!.sources, {
      parameters: own!.parameters,
      hasTicker: (ticker) => TICKERS.includes(ticker),
      onPrinted: () => undefined,
    });
    const events: AccountDraft[] = [];
    const backtest = new Backtest({
      ...this.#settings,
      strategy: noStrategy(),
      strategies: opened,
      from: dayOf(this.#warmUp),
      onEvent: (event) => events.push(event),
    });
    for (let n = 0; n < this.market.options.days; n += 1) await backtest.runOwn(this.market.session(n));
    await closeAll(opened);
    return events;
  }

  async close(): Promise<void> {
    await this.#service?.leave();
    await this.#processes.close();
  }
}
