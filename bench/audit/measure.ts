import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export const PEAK_PREFIX = 'peak-kB ';

export interface Measured {
  readonly what: string;
  readonly seconds: number;
  /** Resident set, `null` where the system does not say. */
  readonly peakMiB: number | null;
}

/** A program of this project in a process of its own, from its start to its end; what it prints goes nowhere. */
export async function measureProcess(what: string, folder: string, program: string[]): Promise<Measured> {
  const peak = join(import.meta.dirname, 'peak.ts');
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', peak, ...program], {
    env: { ...process.env, DATA_DIR: folder, LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  const said = await text(child.stderr);
  const [code] = (await exited) as [number | null];
  if (code !== 0) throw new Error(`${what} ended with ${code}: ${said}`);
  const kilobytes = new RegExp(`${PEAK_PREFIX}(\\d+)`).exec(said)?.[1];
  return {
    what,
    seconds: (performance.now() - began) / 1_000,
    peakMiB: kilobytes === undefined ? null : Number(kilobytes) / 1_024,
  };
}
