import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What a file belongs to, by the first that its path fits. */
const ROOMS = [
  ['simulator', /^testing\/simulate\//],
  ['tests', /\.(test|suite|fixture)\.ts$|^testing\//],
  ['bench', /^(bench|\.ci)\//],
  ['pages', /\/pages\//],
  ['product', /^/],
] as const;

/** `npm run bench -- lines`: lines of code by room, without blank lines and comments, of the checkout that it is run in. */
export async function run(): Promise<void> {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.css', '*.html'], { encoding: 'utf8' });
  const counts: Record<string, { files: number; lines: number }> = {};
  for (const file of files.trim().split('\n')) {
    const [room] = ROOMS.find(([, path]) => path.test(file))!;
    const count = (counts[room] ??= { files: 0, lines: 0 });
    count.files += 1;
    count.lines += linesOf(readFileSync(file, 'utf8'));
  }
  console.table(counts);
}

/** A comment begins its line, everywhere in this house. */
function linesOf(text: string): number {
  const code = text.replaceAll(/^\s*(\/\*[^]*?\*\/|<!--[^]*?-->|\/\/.*)[^\S\n]*$/gm, '');
  return code.split('\n').filter((line) => line.trim() !== '').length;
}
