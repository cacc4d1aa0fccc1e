import { z } from 'zod';

const Figure = z.number();

const Parameter = z
  .strictObject({ default: Figure, min: Figure, max: Figure })
  .refine((of) => of.min <= of.default && of.default <= of.max, 'must have min <= default <= max');

/** What a program says of its strategy, in answer to `{"type":"hello"}`. */
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
  /** SHA-256 of its files, where it knows them. */
  hash: z.string().nullish(),
  /** Where `onSession` is. */
  file: z.string().nullish(),
  line: z.int().nullish(),
});
export type Hello = z.output<typeof Hello>;

/** Instead of an answer: it has failed. */
export const Failure = z.object({
  error: z.object({
    detail: z.string(),
    file: z.string().nullish(),
    line: z.int().nullish(),
  }),
});

/** One session as a program is told it. Prices as traded; `splits`: new shares for an old one, in effect from today on. */
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
  /** The newest value of each series that is known, and the day that it is of. */
  readonly series?: Readonly<Record<string, { readonly date: string; readonly value: number }>> | undefined;
  /** The tickers that may be bought, by name. Missing if all may, and in the past. */
  readonly universe?: readonly string[] | undefined;
}
