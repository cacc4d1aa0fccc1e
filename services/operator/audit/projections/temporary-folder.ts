import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** With the process, so that it can be told when nobody needs a folder any more. */
const PREFIX = `beleg-verify-${hostname().replaceAll(/[^A-Za-z0-9.]/gu, '_')}-`;
const own = new Set<string>();

/**
 * Runs with a folder that nobody else can look into, and that is gone afterwards: also where `use` fails, and where a
 * signal ends the process.
 */
export async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  removeLeftFolders();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  own.add(folder);
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
    own.delete(folder);
  }
}

/** There is text in the open in such folders, and a process that is killed leaves its own behind. */
export function removeLeftFolders(): void {
  if (!existsSync(tmpdir())) return;
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = name.startsWith(PREFIX) ? (/^(\d+)-/u.exec(name.slice(PREFIX.length)) ?? []) : [];
    const folder = join(tmpdir(), name);
    if (pid === undefined || own.has(folder)) continue;
    if (Number(pid) !== process.pid && isRunning(Number(pid))) continue;
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // It is another user's.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
