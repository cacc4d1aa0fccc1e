import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StrategyAnswer } from '../../actors/strategy/answer.ts';
import { StrategyFault } from './fault.ts';
import { lineOf, requireTickers, shownBefore, valuesOf, type HostedStrategy, type Place } from './hosted.ts';
import { LineProcess } from './line-process.ts';
import type { StrategySource } from './named.ts';
import { Failure, Hello } from './protocol.ts';
import { readAs } from './read-as.ts';
import { runHere } from './run-here.ts';
import { shippedStrategy } from './shipped.ts';
import { HEAP, LIMITS, type Limits } from './strategy-limits.ts';

interface OpenOptions {
  /** Values for its parameters, by name; the others keep their defaults. */
  readonly parameters?: Readonly<Record<string, number>>;
  readonly onPrinted?: (line: string) => void;
  /** Whether the market has a ticker. */
  readonly hasTicker?: (ticker: string) => boolean;
  readonly limits?: Partial<Limits>;
}

/** A strategy that runs in a process of its own. */
type Apart = Exclude<StrategySource['runs'], { readonly kind: 'shipped' }>;

const PROGRAM = fileURLToPath(new URL('child/program.ts', import.meta.url));

/**
 * Opens a strategy: in this process if it is part of the product, otherwise in a process of its own. Once that process
 * has failed, all calls reject with a `StrategyFault`.
 */
export async function openStrategy(
  { runs, ...named }: StrategySource,
  options: OpenOptions = {},
): Promise<HostedStrategy> {
  if (runs.kind !== 'shipped') return openProcess({ ...named, runs }, options);
  return runHere({ ...named, ...options, ...shippedStrategy(named.name) });
}

async function openProcess(
  { name, source, runs, share }: StrategySource & { readonly runs: Apart },
  { parameters: given = {}, onPrinted = () => undefined, hasTicker = () => true, limits: more }: OpenOptions,
): Promise<HostedStrategy> {
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

  async function ask(
    question: object,
    limitMs: number,
    at: Place = place,
    clockMs = limitMs * limits.patience,
  ): Promise<unknown> {
    let answer: unknown;
    try {
      answer = await child.ask(question, limitMs, clockMs);
    } catch (error) {
      if (!(error instanceof StrategyFault)) throw error;
      const { isLate } = error;
      throw new StrategyFault(error.message, { ...at, file: error.file ?? at.file, isLate }, error);
    }
    const failed = Failure.safeParse(answer);
    if (!failed.success) return answer;
    const { detail, file, line } = failed.data.error;
    throw new StrategyFault(detail, { file: file ?? at.file, line: line ?? null });
  }

  try {
    const clockMs = Math.min(limits.helloMs * limits.patience, limits.helloClockMs);
    const said = readAs(Hello, await ask({ type: 'hello' }, limits.helloMs, place, clockMs), place);
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
      history,
      usesPredictions: predictions,
      async begin(past) {
        const shown = shownBefore(past, history).map((session) => lineOf(session));
        await ask({ type: 'begin', parameters, past: shown }, limits.beginMs, at);
      },
      async decide({ session, predictions, ...question }) {
        const line = lineOf(session, predictions, hasTicker);
        const asked = { type: 'session', ...line, ...question, parameters };
        const read = readAs(StrategyAnswer, (await ask(asked, limits.sessionMs, at)) ?? {}, at);
        requireTickers(read, hasTicker, at);
        return read;
      },
      close: () => child.close(),
    };
  } catch (error) {
    await child.close();
    throw error;
  }
}

const commandFor = (path: string): readonly string[] => [
  process.execPath,
  `--max-old-space-size=${HEAP}`,
  '--disallow-code-generation-from-strings',
  '--no-warnings',
  // These flags forbid the process to start processes and threads, and to load native code.
  '--permission',
  '--allow-fs-read=*',
  PROGRAM,
  path,
];

/** The environment variables that are passed on to a program. The services' keys are not among them. */
const PASSED =
  /^(PATH|HOME|LANG|LC_\w+|TZ|TMPDIR|VIRTUAL_ENV|CONDA_PREFIX|PYTHON\w*|LD_LIBRARY_PATH|SYSTEMROOT)$/i;
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED.test(name)));

/** The hash of a program: of its command, and of the files that the command names. */
function hashOf(runs: Apart): string {
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
