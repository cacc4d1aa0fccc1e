import { basename, dirname, join } from 'node:path';

const PAGES = 'services/pages/';
/** Suites and tests that open pages in a browser. */
const LOOKS_AT_PAGES = /^services\/gateway\/\w+\/[\w-]*page[\w-]*\.(suite|[\w.]*test)\.ts$/;

/**
 * The tests that a file can affect, those in its own folders first: by imports, by programs that are started by name,
 * and for pages by the tests that open them. (`vitest related` only follows imports.)
 */
export class RelatedTests {
  readonly #users = new Map<string, Set<string>>();

  constructor(sources: ReadonlyMap<string, string>) {
    const programs = Map.groupBy(sources.keys(), (file) => basename(file));
    for (const [file, code] of sources) {
      const running = code.replaceAll(/^import type [^;]+;/gm, '');
      for (const [, imported] of running.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g))
        this.#add(join(dirname(file), imported!), file);
      for (const [, named] of code.matchAll(/'(?:\.\/)?([\w./-]+\.(?:ts|mjs))'/g)) {
        const room = file.split('/')[0];
        for (const program of programs.get(basename(named!)) ?? [])
          if (
            program.endsWith(named!) &&
            program.split('/')[0] === room &&
            !code.includes(`from './${named}'`)
          )
            this.#add(program, file);
      }
    }
    const looking = [...sources.keys()].filter((file) => LOOKS_AT_PAGES.test(file));
    for (const page of sources.keys()) {
      if (page.startsWith(PAGES)) for (const file of looking) this.#add(page, file);
    }
  }

  of(file: string): string[] {
    const seen = new Set([file]);
    for (const used of seen) for (const user of this.#users.get(used) ?? []) seen.add(user);
    const tests = [...seen].filter((user) => user.endsWith('.test.ts'));
    return tests.toSorted((a, b) => sharedFolders(b, file) - sharedFolders(a, file));
  }

  #add(used: string, user: string): void {
    const users = this.#users.get(used) ?? new Set();
    this.#users.set(used, users.add(user));
  }
}

/** Puts the test file first that found the fault in another commit, where its suffix may have been different. */
export function inOrder(tests: readonly string[], first = ''): string[] {
  const isFirst = (file: string): boolean => plain(file) === plain(first);
  return [...tests.filter(isFirst), ...tests.filter((file) => !isFirst(file))];
}

const plain = (file: string): string => file.replace('.full.test.', '.test.');

/** How many folders two files share. */
function sharedFolders(a: string, b: string): number {
  const [of, other] = [dirname(a).split('/'), dirname(b).split('/')];
  const parting = of.findIndex((name, n) => name !== other[n]);
  return parting === -1 ? of.length : parting;
}
