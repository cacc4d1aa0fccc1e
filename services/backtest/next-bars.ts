import { parseRatio, ratioNumber } from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';

type Bar = SessionData['bars'][string];

/** A bar, and the next one of its ticker. */
export interface NextBar {
  readonly ticker: string;
  readonly session: SessionData;
  readonly bar: Bar;
  readonly next: Bar;
  /** The rise from close to close, as a share, adjusted for splits. */
  readonly rise: number;
}

/** Each bar with the next bar of its ticker, sorted by the session of the next bar. */
export function* nextBars(sessions: readonly SessionData[]): Iterable<NextBar> {
  const last = new Map<string, { session: SessionData; bar: Bar; ratio: number }>();
  for (const session of sessions) {
    for (const [ticker, ratio] of Object.entries(session.splits)) {
      const before = last.get(ticker);
      if (before !== undefined) before.ratio *= ratioNumber(parseRatio(ratio));
    }
    for (const [ticker, bar] of Object.entries(session.bars)) {
      const before = last.get(ticker);
      if (before !== undefined && before.bar.close > 0) {
        const rise = (bar.close * before.ratio) / before.bar.close - 1;
        yield { ticker, session: before.session, bar: before.bar, next: bar, rise };
      }
      last.set(ticker, { session, bar, ratio: 1 });
    }
  }
}

/** No market is explained by its last rise this well; made-up data such as a wave is, and so is noise about a fixed price. */
const EXPLAINED = { correlation: 0.3, sameSign: 0.65 };

/** How well the rises of a ticker follow from the previous ones. */
class Rises {
  readonly #pairs = new Correlation();
  #last: number | undefined;
  #same = 0;

  push(rise: number): void {
    if (this.#last !== undefined) {
      this.#pairs.push(this.#last, rise);
      if (this.#last > 0 === rise > 0) this.#same += 1;
    }
    this.#last = rise;
  }

  get areExplained(): boolean {
    const share = this.#pairs.count === 0 ? 0.5 : this.#same / this.#pairs.count;
    return (
      Math.abs(this.#pairs.value) > EXPLAINED.correlation || Math.max(share, 1 - share) > EXPLAINED.sameSign
    );
  }
}

/** The tickers whose rises mostly follow from the previous ones, so that an honest rule can be right about the next session. */
export function followingTheirPast(sessions: readonly SessionData[]): ReadonlySet<string> {
  const byTicker = new Map<string, Rises>();
  for (const { ticker, rise } of nextBars(sessions)) {
    let rises = byTicker.get(ticker);
    if (rises === undefined) byTicker.set(ticker, (rises = new Rises()));
    rises.push(rise);
  }
  return new Set([...byTicker].flatMap(([ticker, rises]) => (rises.areExplained ? [ticker] : [])));
}

/** Pearson's correlation of pairs that are added one by one. */
export class Correlation {
  count = 0;
  #meanX = 0;
  #meanY = 0;
  #xx = 0;
  #yy = 0;
  #xy = 0;

  push(x: number, y: number): void {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    this.count += 1;
    const [dx, dy] = [x - this.#meanX, y - this.#meanY];
    this.#meanX += dx / this.count;
    this.#meanY += dy / this.count;
    this.#xx += dx * (x - this.#meanX);
    this.#yy += dy * (y - this.#meanY);
    this.#xy += dx * (y - this.#meanY);
  }

  /** The correlation; 0 if one of the two never changes. */
  get value(): number {
    const both = Math.sqrt(this.#xx * this.#yy);
    return both > 0 ? this.#xy / both : 0;
  }
}
