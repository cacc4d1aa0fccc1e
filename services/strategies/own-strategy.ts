import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { StrategyAnswer } from '../../actors/strategy/answer.ts';
import type { StrategyAccount } from '../../actors/strategy/port.ts';
import type { Forecast } from '../../actors/strategy/strategy.ts';
import { parseRatio, ratioNumber } from '../../events/decimal.ts';
import type { Json } from '../../events/json.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { StrategyFault } from './fault.ts';
import { LineProcess } from './line-process.ts';
import type { StrategySource } from './named.ts';
import { Failure, Hello, type SessionLine } from './protocol.ts';
import { HEAP, LIMITS, type Limits } from './strategy-limits.ts';

/** The query to a strategy after a session. */
export interface Question {
  readonly session: SessionData;
  readonly previous: string | null;
  readonly account: StrategyAccount;
  readonly state: Json;
  readonly predictions?: ReadonlyMap<string, Forecast> | undefined;
}

interface OpenOptions {
  /** Values for its parameters, by name; the others keep their defaults. */
  readonly parameters?: Readonly<Record<string, number>>;
  readonly onPrinted?: (line: string) => void;
  /** Tells whether the market has a ticker. */
  readonly hasTicker?: (ticker: string) => boolean;
  readonly limits?: Partial<Limits>;
}

const PROGRAM = fileURLToPath(new URL('child/program.ts', import.meta.url));

/**
 * An own strategy in a process of its own, in live trading and backtests alike. Once it has failed, all calls reject
 * with a `StrategyFault`.
 */
export type OwnStrategy = Awaited<ReturnType<typeof openStrategy>>;

export async function openStrategy(
  { name, source, runs, share }: StrategySource,
  {
    parameters: given = {},
    onPrinted = () => undefined,
    hasTicker = () => true,
    limits: more,
  }: OpenOptions = {},
) {
  const limits = { ...LIMITS, ...more };
  const place = runs.kind === 'file' ? { file: runs.path, line: null } : {};
  if (runs.kind === 'file' && !existsSync(runs.path)) throw new StrategyFault('there is no such file', place);
  const child = new LineProcess({
    ...(runs.kind === 'file'
      ? { command: commandFor(runs.path), cwd: dirname(runs.path), env: {} }
      : { command: runs.command, cwd: process.cwd(), env: environment() }),
    megabytes: limits.megabytes,
    onPrinted,
  });

  async function ask(question: object, limitMs: number, at: Place = place): Promise<unknown> {
    let answer: unknown;
    try {
      answer = await child.ask(question, limitMs);
    } catch (error) {
      if (!(error instanceof StrategyFault)) throw error;
      throw new StrategyFault(error.message, { ...at, file: error.file ?? at.file }, error);
    }
    const failed = Failure.safeParse(answer);
    if (!failed.success) return answer;
    const { detail, file, line } = failed.data.error;
    throw new StrategyFault(detail, { file: file ?? at.file, line: line ?? null });
  }

  try {
    const said = readAs(Hello, await ask({ type: 'hello' }, limits.helloMs), place);
    const { history, predictions, file, line } = said;
    const at: Place = { file: file ?? place.file, line };
    const parameters = valuesOf(said.parameters, given, at);
    return {
      name,
      source,
      share,
      hash: said.hash ?? hashOf(runs),
      declared: said.parameters,
      parameters,
      /** The number of sessions that it sees, including the present one. */
      history,
      usesPredictions: predictions,
      /** Shows it the sessions before its first query; those beyond its history are left out. */
      async begin(past: readonly SessionData[]): Promise<void> {
        const shown = history > 1 ? past.slice(1 - history) : [];
        await ask(
          { type: 'begin', parameters, past: shown.map((session) => lineOf(session)) },
          limits.beginMs,
          at,
        );
      },
      async decide({ session, previous, account, state, predictions }: Question): Promise<StrategyAnswer> {
        const line = lineOf(session, predictions);
        const universe = session.universe && { universe: session.universe.filter(hasTicker) };
        const answer = await ask(
          { type: 'session', previous, ...line, ...universe, account, state, parameters },
          limits.sessionMs,
          at,
        );
        const read = readAs(StrategyAnswer, answer ?? {}, at);
        for (const { ticker } of [...read.targets, ...read.orders]) {
          if (!hasTicker(ticker))
            throw new StrategyFault(`it names ${ticker}, which the market does not have`, at);
        }
        return read;
      },
      close: () => child.close(),
    };
  } catch (error) {
    await child.close();
    throw error;
  }
}

interface Place {
  readonly file?: string | null | undefined;
  readonly line?: number | null | undefined;
}

const commandFor = (path: string): readonly string[] => [
  process.execPath,
  `--max-old-space-size=${HEAP}`,
  '--disallow-code-generation-from-strings',
  '--no-warnings',
  // These flags keep it from starting processes and threads, and from loading native code.
  '--permission',
  '--allow-fs-read=*',
  PROGRAM,
  path,
];

/** The variables that a program needs to run, without the services' keys. */
const PASSED =
  /^(PATH|HOME|LANG|LC_\w+|TZ|TMPDIR|VIRTUAL_ENV|CONDA_PREFIX|PYTHON\w*|LD_LIBRARY_PATH|SYSTEMROOT)$/i;
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED.test(name)));

/** The hash of a program: of its command, and of those words that are files. */
function hashOf(runs: StrategySource['runs']): string {
  const words = runs.kind === 'file' ? [runs.path] : runs.command;
  const parts = words.map((word) => {
    try {
      return [word, readFileSync(word).toString('base64')];
    } catch {
      return [word];
    }
  });
  return hash('sha256', JSON.stringify(parts), 'hex');
}

function valuesOf(
  declared: Hello['parameters'],
  given: Readonly<Record<string, number>>,
  at: Place,
): Readonly<Record<string, number>> {
  for (const [name, value] of Object.entries(given)) {
    const of = declared[name];
    if (of === undefined) {
      const names = Object.keys(declared).join(', ') || 'none';
      throw new StrategyFault(`it has no parameter ${name}; its parameters: ${names}`, at);
    }
    if (!(value >= of.min && value <= of.max)) {
      throw new StrategyFault(`the parameter ${name} must be from ${of.min} to ${of.max}`, at);
    }
  }
  return Object.fromEntries(Object.entries(declared).map(([name, of]) => [name, given[name] ?? of.default]));
}

function readAs<Schema extends z.ZodType>(schema: Schema, value: unknown, at: Place): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const faults = read.error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`);
  throw new StrategyFault(`its answer cannot be read: ${faults.join('; ')}`, at);
}

function lineOf(
  { date, bars, splits, dividends, series }: SessionData,
  predictions?: ReadonlyMap<string, Forecast>,
): SessionLine {
  return {
    date,
    bars: Object.fromEntries(
      Object.entries(bars).map(([ticker, bar]) => {
        const prediction = predictions?.get(ticker);
        const dividend = dividends[ticker];
        return [
          ticker,
          { ...bar, ...(dividend === undefined ? {} : { dividend }), ...(prediction && { prediction }) },
        ];
      }),
    ),
    splits: Object.fromEntries(
      Object.entries(splits).map(([ticker, text]) => [ticker, ratioNumber(parseRatio(text))]),
    ),
    ...(series === undefined ? {} : { series }),
  };
}
