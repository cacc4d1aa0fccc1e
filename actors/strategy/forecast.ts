/** What a model expects of a ticker's next day. */
export interface Forecast {
  /** ln(close / close before). */
  readonly return: number;
  /** A day's, as a standard deviation of log returns. */
  readonly volatility: number;
}
