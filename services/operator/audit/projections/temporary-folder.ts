import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs with a folder that nobody else can look into, and that is gone afterwards: also where `use` fails, and where a
 * signal ends the process.
 */
export async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'beleg-verify-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const end = (signal: NodeJS.Signals): never => {
    remove();
    process.exit(SIGNALS[signal as keyof typeof SIGNALS]);
  };
  for (const signal of Object.keys(SIGNALS)) process.once(signal, end);
  try {
    return await use(folder);
  } finally {
    for (const signal of Object.keys(SIGNALS)) process.off(signal, end);
    remove();
  }
}
