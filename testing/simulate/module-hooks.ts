import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { applyPatch, type FilePatch } from './patch.ts';
import { replaceGlobals } from './replaced/globals.ts';

const ROOT = pathToFileURL(`${dirname(dirname(import.meta.dirname))}/`).href;

/** These modules of Node are replaced for the services, by those in `replaced/`. */
const REPLACED = /^node:(?:timers\/promises|fs\/promises|crypto|sqlite|worker_threads)$/u;

/** Modules of the project that are replaced. */
const OWN_REPLACED = [
  ['/nats/bucket.ts', './replaced/nats-bucket.ts'],
  ['/turns.ts', './replaced/turns.ts'],
] as const;

/**
 * From here on, modules of the project take time, randomness, files and threads from the simulation. `patches` changes
 * their text while it is loaded; the files stay unchanged. Call it before they are loaded.
 */
export function installHooks(patches: readonly FilePatch[]): void {
  replaceGlobals();
  const patched = new Map(patches.map((patch) => [new URL(patch.file, ROOT).href, patch]));
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '' } = context;
      const isOurs =
        parentURL.startsWith(ROOT) &&
        !parentURL.includes('/node_modules/') &&
        !parentURL.includes('/testing/simulate/');
      const ours = isOurs ? OWN_REPLACED.find(([name]) => specifier.endsWith(name)) : undefined;
      if (ours !== undefined)
        return {
          url: new URL(ours[1], import.meta.url).href,
          format: 'module-typescript',
          shortCircuit: true,
        };
      if (!REPLACED.test(specifier) || !isOurs) return next(specifier, context);
      return {
        url: new URL(`./replaced/${specifier.slice(5).replace(/[/_]/u, '-')}.ts`, import.meta.url).href,
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
