import { open, readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Trial } from './sweep-summary.ts';

const Line = z.object({
  parameters: z.record(z.string(), z.number()),
  trades: z.int(),
  /** Doubles, little-endian, in Base64. */
  returns: z.base64(),
});

/**
 * Keeps runs in a file, one on each line; the first line identifies strategy, data and settings. If a kill cut off the
 * last line, it is dropped, and its run is repeated.
 *
 * @param of identifies the runs, as JSON; runs with another identity are not mixed with them.
 * @throws {Error} if the file has runs of another identity.
 */
export async function openKeptRuns(file: string, of: unknown) {
  const head = JSON.stringify(of);
  const [first, ...lines] = (await readFile(file, 'utf8').catch(absent)).split('\n').slice(0, -1);
  if (first !== undefined && first !== head) {
    throw new Error(
      `${file} has runs of something else: ${differences(first, head)}. Name another folder with --out, or remove this one`,
    );
  }
  const done = new Map<string, Trial>();
  for (const line of lines) {
    const { parameters, trades, returns } = Line.parse(JSON.parse(line));
    done.set(keyOf(parameters), { parameters, trades, returns: decoded(returns) });
  }
  const handle = await open(file, 'a+');
  const whole = [head, ...lines].map((line) => `${line}\n`).join('');
  await handle.truncate(Math.min(Buffer.byteLength(whole), (await handle.stat()).size));
  if (first === undefined) {
    await handle.truncate(0);
    await handle.appendFile(`${head}\n`);
  }
  return {
    /** The number of runs in the file. */
    count: done.size,
    find: (parameters: Trial['parameters']): Trial | undefined => done.get(keyOf(parameters)),
    async keep({ parameters, trades, returns }: Trial): Promise<void> {
      const text = Buffer.from(returns.buffer, returns.byteOffset, returns.byteLength).toString('base64');
      await handle.appendFile(`${JSON.stringify({ parameters, trades, returns: text })}\n`);
    },
    close: () => handle.close(),
  };
}

/** The differences between the settings of a kept file (`there`) and those of this sweep, in words. */
function differences(there: string, here: string): string {
  const known = new Map(flattened(readJson(there), ''));
  const own = [...flattened(JSON.parse(here), '')];
  const differing = own.filter(([name, value]) => known.get(name) !== value);
  return differing
    .map(([name, value]) => `${name} was ${known.get(name) ?? 'not named'} and is ${value} now`)
    .join('; ');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function* flattened(value: unknown, before: string): Generator<[name: string, value: string]> {
  if (typeof value !== 'object' || value === null) yield [before, String(value)];
  else {
    for (const [name, inner] of Object.entries(value)) {
      yield* flattened(inner, before === '' ? name : `${before}.${name}`);
    }
  }
}

const keyOf = (parameters: Trial['parameters']): string =>
  JSON.stringify(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)));

function decoded(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64');
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

function absent(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
  throw error;
}
