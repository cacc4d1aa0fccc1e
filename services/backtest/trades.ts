import type { AccountDraft } from '../../actors/trading/draft.ts';
import { LotBook, type ClosedTrade, type Matching } from '../../actors/trading/lots.ts';
import { parseMoney, parsePrice, parseQuantity, parseRatio } from '../../events/decimal.ts';

export interface TradeOfTicker extends ClosedTrade {
  readonly ticker: string;
}

/** What was filled, and the trades that it closed, from the events of an account. */
export class TradeJournal {
  readonly fills: Extract<AccountDraft, { type: 'OrderFilled' }>['data'][] = [];
  readonly trades: TradeOfTicker[] = [];
  readonly #matching: Matching;
  readonly #lots = new Map<string, LotBook>();

  constructor(matching: Matching) {
    this.#matching = matching;
  }

  take(event: AccountDraft): void {
    if (event.type === 'OrderFilled') {
      const { ticker, action, quantity, price, fee, session } = event.data;
      this.fills.push(event.data);
      const shares = parseQuantity(quantity);
      const fill = {
        quantity: action === 'buy' ? shares : -shares,
        price: parsePrice(price),
        fee: parseMoney(fee),
        at: session,
      };
      this.#close(ticker, this.#lotsOf(ticker).take(fill));
    } else if (event.type === 'SplitApplied') {
      const { ticker, ratio, quantity, cash_in_lieu, session } = event.data;
      const kept = parseQuantity(quantity);
      const cash = parseMoney(cash_in_lieu);
      this.#close(ticker, this.#lotsOf(ticker).split(parseRatio(ratio), kept, cash, session));
    }
  }

  #close(ticker: string, trades: readonly ClosedTrade[]): void {
    for (const trade of trades) this.trades.push({ ticker, ...trade });
  }

  #lotsOf(ticker: string): LotBook {
    let lots = this.#lots.get(ticker);
    if (lots === undefined) this.#lots.set(ticker, (lots = new LotBook(this.#matching)));
    return lots;
  }
}
