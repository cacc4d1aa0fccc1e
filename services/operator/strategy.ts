import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { UsageError } from './report-failure.ts';

const FIRST = new URL('../../examples/strategies/momentum.ts', import.meta.url);
const TYPES = new URL('../../actors/strategy/port.ts', import.meta.url);
const TYPES_NAME = 'beleg-strategy.d.ts';

/** `beleg strategy new`: the example `momentum`, and the types that an editor shows beside it. Writes over nothing. */
export async function strategyNew(file: string): Promise<void> {
  if (!/\.(ts|js)$/.test(file)) throw new UsageError(`${file} must end in .ts or .js`);
  const example = await readFile(FIRST, 'utf8');
  const text = example.replace('../../actors/strategy/port.ts', `./${TYPES_NAME}`);
  try {
    await writeFile(file, file.endsWith('.js') ? withoutTypes(text) : text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new UsageError(`${file} is there already`, { cause: error });
    throw error;
  }
  const types = join(dirname(file), TYPES_NAME);
  await copyFile(TYPES, types);
  const shown = relative('.', file);
  const named = shown.startsWith('.') ? shown : `./${shown}`;
  console.log(`${file} is a strategy that runs as it is; ${types} has its types.`);
  console.log(`Test it:      npx beleg backtest --strategy ${named}`);
  console.log(`Check it:     npx beleg strategy check ${named}`);
  console.log(`Run it live:  TD_STRATEGY=${named} npm start`);
}

/** The example's types, as comments that an editor reads. */
const withoutTypes = (text: string): string =>
  text
    .replace(/^import type \{ Strategy \} from '(.+)';\n/m, '')
    .replace('export default {', `/** @type {import('./${TYPES_NAME}').Strategy} */\nexport default {`)
    .replace(/^} satisfies Strategy<.+>;$/m, '};');
