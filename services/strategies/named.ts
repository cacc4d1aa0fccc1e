import { basename, extname, resolve } from 'node:path';
import { SHIPPED_NAMES } from './shipped-names.ts';

/** An own strategy, as a command line or a setting names it. */
export interface StrategySource {
  /** Its name in the record and in commands. */
  readonly name: string;
  /** The text as it was written. */
  readonly source: string;
  /** How it runs: in this process if it is part of the product, as a file in a process of ours, or as any program. */
  readonly runs:
    | { readonly kind: 'shipped' }
    | { readonly kind: 'file'; readonly path: string }
    | { readonly kind: 'program'; readonly command: readonly string[] };
  /** The share of the account, 0 … 1; `null` for all of it. */
  readonly share: number | null;
}

const FILE = /\.(ts|mts|js|mjs)$/;
const PROGRAM = 'exec:';
/**
 * A word of a command that names a file, and is neither an option nor a number like 1.5. Words after the script are its
 * arguments.
 */
const SCRIPT = /^[^-].*\.[a-z]\w*$/i;
const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/** Whether the text names own strategies and not a built-in one. */
export function isOwn(text: string): boolean {
  const source = text.replace(SHARE, '');
  return (
    text.includes(',') || text.startsWith(PROGRAM) || FILE.test(source) || SHIPPED_NAMES.includes(source)
  );
}

const SHARE = /=(\d{1,3}(?:\.\d{1,4})?)%$/;

/**
 * Parses `momentum`, `./mine.ts`, `exec:python3 my.py`, or several with shares: `momentum=60%,b.ts=40%`.
 *
 * @throws {RangeError} for any other form, for two strategies with one name, and for shares that add up to more than
 * the account.
 */
export function ownStrategies(text: string): readonly StrategySource[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const found = parts.map((part) => {
    const share = SHARE.exec(part);
    if (parts.length > 1 && share === null)
      throw new RangeError('several strategies need a share each, like a.ts=60%,b.ts=40%');
    return one(
      share === null ? part : part.slice(0, share.index),
      share === null ? null : Number(share[1]) / 100,
    );
  });
  const all = found.reduce((sum, { share }) => sum + (share ?? 1), 0);
  if (all > 1 + 1e-9) throw new RangeError('the shares must not be more than 100 % together');
  if (found.some(({ share }) => share === 0)) throw new RangeError('a share must be more than 0 %');
  const names = new Set(found.map(({ name }) => name));
  if (names.size < found.length)
    throw new RangeError('each strategy must have a name of its own: that of its file');
  return found;
}

function one(source: string, share: number | null): StrategySource {
  if (SHIPPED_NAMES.includes(source)) return { name: source, source, runs: { kind: 'shipped' }, share };
  if (isProgram(source)) {
    const command = words(source.slice(PROGRAM.length));
    if (command.length === 0) throw new RangeError('exec: needs a command, like exec:python3 my.py');
    const file = command.slice(1).find((word) => SCRIPT.test(word)) ?? command[0]!;
    return { name: nameOf(file), source, runs: { kind: 'program', command }, share };
  }
  if (!FILE.test(source))
    throw new RangeError(
      `${source} is no strategy: it must be a file that ends in .ts or .js, or one of ${SHIPPED_NAMES.join(', ')}`,
    );
  return { name: nameOf(source), source, runs: { kind: 'file', path: resolve(source) }, share };
}

function nameOf(file: string): string {
  const name = basename(file, extname(file))
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-');
  if (!NAME.test(name))
    throw new RangeError(
      `${file}: a strategy is known by its file's name, which must have letters and digits`,
    );
  return name;
}

/** Whether a source names a program. */
export const isProgram = (source: string): boolean => source.startsWith(PROGRAM);

/** The words of a command; text in double quotes is one word. */
const words = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);
