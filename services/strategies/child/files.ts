import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, relative } from 'node:path';
import { fileURLToPath, URL } from 'node:url';

const FORMATS: Readonly<Record<string, string>> = {
  ts: 'module-typescript',
  mts: 'module-typescript',
  js: 'module',
  mjs: 'module',
  json: 'json',
};

/** The files that a strategy imports, only by relative paths. Their contents are part of the strategy's hash. */
export class StrategyFiles {
  readonly #sources = new Map<string, string>();

  constructor(start: URL) {
    const ours = new Set([start.href]);
    registerHooks({
      resolve: (specifier, context, next) => {
        if (!ours.has(context.parentURL ?? '')) return next(specifier, context);
        if (this.#closed) {
          this.refusal ??= `it imports "${specifier}" while it runs; a strategy imports its files when it is loaded`;
          throw new Error(this.refusal);
        }
        if (!/^\.\.?\//.test(specifier)) {
          this.#refused = { url: context.parentURL!, specifier };
          throw new Error(
            `it imports "${specifier}"; a strategy can import only files that are named relative to it, like "./rules.ts"`,
          );
        }
        const url = new URL(specifier, context.parentURL).href;
        ours.add(url);
        return { url, shortCircuit: true };
      },
      load: (url, context, next) => {
        if (!ours.has(url)) return next(url, context);
        const format = FORMATS[url.split('.').at(-1)!];
        if (format === undefined)
          throw new Error(`it imports ${url}; a strategy can import .ts, .js and .json files`);
        const source = readFileSync(new URL(url), 'utf8');
        this.#sources.set(url, source);
        return next(url, { ...context, format });
      },
    });
    this.#start = start;
  }

  readonly #start: URL;
  /** An import that was refused: the stack of its error does not name the file that has it. */
  #refused: { readonly url: string; readonly specifier: string } | undefined;
  #closed = false;
  /** An import after the load, which is refused, because a later file would not be in the hash. */
  refusal: string | null = null;

  /** Everything is loaded: a later file would not be in the hash. */
  close(): void {
    this.#closed = true;
  }

  /** The hash of all loaded files: their paths relative to the first one, and their content. */
  get hash(): string {
    const folder = dirname(fileURLToPath(this.#start));
    const files = [...this.#sources].map(([url, source]) => [relative(folder, fileURLToPath(url)), source]);
    return hash(
      'sha256',
      JSON.stringify(files.sort(([one = ''], [other = '']) => (one < other ? -1 : 1))),
      'hex',
    );
  }

  /** The place in these files at which an error was thrown, by its stack. */
  placeOf(error: unknown): { readonly file: string | null; readonly line: number | null } {
    if (this.#refused !== undefined) {
      const { url, specifier } = this.#refused;
      return { file: fileURLToPath(url), line: this.#lineOf(url, specifier) };
    }
    const stack = error instanceof Error ? `${error.stack}` : '';
    for (const [, url, path, line] of stack.matchAll(/(?:(file:\/\/\S+?)|(\/[^\s():]+)):(\d+)/g)) {
      const file = url === undefined ? path! : fileURLToPath(url);
      if ([...this.#sources.keys()].some((one) => fileURLToPath(one) === file))
        return { file, line: Number(line) };
    }
    return { file: null, line: null };
  }

  /** The first line of the strategy's file with this text. */
  lineOf(text: string): number | null {
    return this.#lineOf(this.#start.href, text);
  }

  #lineOf(url: string, text: string): number | null {
    const lines = (this.#sources.get(url) ?? '').split('\n');
    const at = lines.findIndex((line) => line.includes(text));
    return at < 0 ? null : at + 1;
  }
}
