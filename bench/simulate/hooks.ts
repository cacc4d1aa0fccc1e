import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { applyPatch, type FilePatch } from './patch.ts';
import { replaceGlobals } from './replaced/globals.ts';

const ROOT = pathToFileURL(`${dirname(dirname(import.meta.dirname))}/`).href;

/** What the services get instead. */
const REPLACED: Readonly<Record<string, string>> = {
  'node:timers/promises': './replaced/timers-promises.ts',
  'node:fs/promises': './replaced/fs-promises.ts',
  'node:crypto': './replaced/crypto.ts',
  'node:sqlite': './replaced/sqlite.ts',
  'node:worker_threads': './replaced/worker-threads.ts',
};

/**
 * From here on modules of the project take time, chance, files and threads from the simulation, unchanged. `patches`
 * changes their text as it is loaded: the files stay as they are. To be called before they are loaded.
 */
export function installHooks(patches: readonly FilePatch[]): void {
  replaceGlobals();
  const patched = new Map(patches.map((patch) => [new URL(patch.file, ROOT).href, patch]));
  registerHooks({
    resolve(specifier, context, next) {
      const replacement = REPLACED[specifier];
      const { parentURL = '' } = context;
      const isOurs =
        parentURL.startsWith(ROOT) &&
        !parentURL.includes('/node_modules/') &&
        !parentURL.includes('/bench/simulate/');
      if (replacement === undefined || !isOurs) return next(specifier, context);
      return {
        url: new URL(replacement, import.meta.url).href,
        format: 'module-typescript',
        shortCircuit: true,
      };
    },
    load(url, context, next) {
      const patch = patched.get(url);
      if (patch === undefined) return next(url, context);
      const source = applyPatch(readFileSync(fileURLToPath(url), 'utf8'), patch);
      return { source, format: 'module-typescript', shortCircuit: true };
    },
  });
}
