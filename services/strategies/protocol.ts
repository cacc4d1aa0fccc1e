import { z } from 'zod';

const Figure = z.number();

const Parameter = z
  .strictObject({ default: Figure, min: Figure, max: Figure })
  .refine((of) => of.min <= of.default && of.default <= of.max, 'must have min <= default <= max');

/** A program's description of its strategy, in reply to `{"type":"hello"}`. */
export const Hello = z.object({
  history: z.int().min(1).max(2_000),
  parameters: z
    .record(z.string().regex(/^[A-Za-z_]\w{0,39}$/), Parameter)
    .nullish()
    .transform((parameters) => parameters ?? {}),
  predictions: z
    .boolean()
    .nullish()
    .transform((wanted) => wanted ?? false),
  /** The SHA-256 of its files, if the program knows them. */
  hash: z.string().nullish(),
  /** The place of `onSession`. */
  file: z.string().nullish(),
  line: z.int().nullish(),
});
export type Hello = z.output<typeof Hello>;

/** The reply of a program that has failed. */
export const Failure = z.object({
  error: z.object({
    detail: z.string(),
    file: z.string().nullish(),
    line: z.int().nullish(),
  }),
});

/**
 * A session in the form that a program gets. Prices are as traded; `splits` are new shares for an old one, in effect
 * from this day on.
 */
export interface SessionLine {
  readonly date: string;
  readonly bars: Readonly<
    Record<
      string,
      {
        readonly open: number;
        readonly high: number;
        readonly low: number;
        readonly close: number;
        readonly volume: number;
        readonly dividend?: number;
        readonly columns?: Readonly<Record<string, number>> | undefined;
        readonly prediction?: { readonly return: number; readonly volatility: number };
      }
    >
  >;
  readonly splits: Readonly<Record<string, number>>;
  /** The newest known value of each series, with its day. */
  readonly series?: Readonly<Record<string, { readonly date: string; readonly value: number }>> | undefined;
  /** The sorted tickers that may be bought. Missing without a restriction, and for past sessions. */
  readonly universe?: readonly string[] | undefined;
}
