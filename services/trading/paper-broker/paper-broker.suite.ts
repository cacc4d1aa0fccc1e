import { dateOf, DAY_MS } from '../../../events/dates.ts';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { parseMoney, parsePrice, parseQuantity } from '../../../events/decimal.ts';
import { createCodec, type Codec } from '../../../events/define.ts';
import type { SessionData } from '../../../events/messages/market.ts';
import type { Funds } from '../../../actors/trading/broker.ts';
import type { PaperRules } from '../../../actors/paper-broker/rules.ts';
import type { EventStore } from '../../../events/store/store.ts';
import type { Vault } from '../../../events/vault/vault.ts';
import { FaultyStore } from '../../../testing/faults/faulty-store.suite.ts';
import { TICKER, type BrokerHarness } from './broker.suite.ts';
import type { OpenBroker } from '../open-broker.ts';
import { openPaperBroker } from './paper-broker.ts';

export const RULES: PaperRules = {
  fees: { kind: 'per-share', perShare: parsePrice('0.005'), minimum: 0n, maximum: null },
  slippage: 50_000n,
  volumeLimit: 10_000_000n,
  lot: parseQuantity('1'),
};

/** Enough for every fill. */
export const PLENTY: Funds = { cash: parseMoney('1000000000'), salesSettle: true, marks: new Map() };

const FIRST_DAY = Date.UTC(2024, 0, 2);

/** The n-th day: 100 at the open, up to 105, down to 95, and `volume` shares. */
export function sessionOf(n: number, session: Partial<SessionData> = {}, volume = 1_000_000): SessionData {
  return {
    date: dateOf(FIRST_DAY + n * DAY_MS),
    bars: { [TICKER]: { open: 100, high: 105, low: 95, close: 101, volume } },
    splits: {},
    dividends: {},
    ...session,
  };
}

// Nothing of a broker is free text: nothing is sealed.
const noVault = (): never => {
  throw new Error('a broker seals nothing');
};
const VAULT = { seal: noVault, open: noVault } as unknown as Vault;
export const CODEC: Codec = createCodec(CATALOG, VAULT);

const now = () => new Date('2026-01-01T00:00:00Z');

export function openOver(store: EventStore, account: string, rules: PaperRules = RULES): Promise<OpenBroker> {
  return openPaperBroker({ store, codec: CODEC, account, rules, now });
}

/** The paper broker over a store that can be made to fail. */
export function paperBrokerHarness(store: EventStore, account: string): BrokerHarness {
  const line = new FaultyStore(store);
  let day = 0;
  return {
    open: () => openOver(line, account),
    async trade(broker) {
      await broker.advance(sessionOf(day), PLENTY);
      day += 1;
    },
    setLine: (mode) => {
      line.mode = mode;
    },
  };
}
