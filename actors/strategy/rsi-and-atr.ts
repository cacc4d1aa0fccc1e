import { wilderAverage } from './averages.ts';
import { momentum } from './price-changes.ts';
import type { Indicator, Series } from './series.ts';

/**
 * Relative strength index, 0 … 100: the average gain over the sum of average gain and average loss, both smoothed in
 * Wilder's way; 50 where nothing moved. (Wilder, New Concepts in Technical Trading Systems, 1978)
 */
export function relativeStrength(closes: Series, period = 14): Indicator {
  const changes = momentum(closes, 1);
  const gains = wilderAverage(
    changes.map((change) => Math.max(change, 0)),
    period,
  );
  const losses = wilderAverage(
    changes.map((change) => Math.max(-change, 0)),
    period,
  );
  return gains.map((gain, at) => {
    const moved = gain + losses[at]!;
    return moved === 0 ? 50 : (100 * gain) / moved;
  });
}

/**
 * A day's true range: high less low, extended to the previous close where that lies outside. The first bar has only
 * high less low. (Wilder)
 */
function trueRange(highs: Series, lows: Series, closes: Series): Indicator {
  return Float64Array.from(closes, (_, at) => {
    const before = at === 0 ? lows[at]! : closes[at - 1]!;
    return Math.max(highs[at]!, before) - Math.min(lows[at]!, before);
  });
}

/** Average true range: true ranges smoothed in Wilder's way, the first bar's included (as StockCharts does). */
export function averageTrueRange(highs: Series, lows: Series, closes: Series, period = 14): Indicator {
  return wilderAverage(trueRange(highs, lows, closes), period);
}
