/** What a model expects of a ticker's next day. */
export interface Forecast {
  /** The expected log return: ln(close / previous close). */
  readonly return: number;
  /** The expected volatility of a day, as a standard deviation of log returns. */
  readonly volatility: number;
}
