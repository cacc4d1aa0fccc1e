import { exponentialAverage, macd, simpleAverage } from './averages.ts';
import type { Indicators } from './port.ts';
import { momentum } from './price-changes.ts';
import { averageTrueRange, relativeStrength } from './rsi-and-atr.ts';

/** The indicators that a strategy of one's own can use by name. */
export const INDICATORS: Indicators = Object.freeze({
  simpleAverage,
  exponentialAverage,
  relativeStrength,
  averageTrueRange,
  macd,
  momentum,
});
