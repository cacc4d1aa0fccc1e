// `npm run faults`: puts faults into the code, one line and one at a time, and prints the share that the tests find.
//
//   --count 60 --seed 1     which faults are drawn
//   --from COMMIT           the commit whose lines they are drawn from (that of --at)
//   --at COMMIT             the commit they are put into (HEAD)
//   --project NAME          a project of vitest.config.ts, more than once if wanted (all of them)
//   --out FILE              keeps the faults, what became of each, and the test that found it
//   --again FILE            takes the faults of such a file; each is shown first to the test file that found it there
//   --limit 300             seconds after which a fault counts as not found
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { drawFaults } from './draw.ts';
import { equivalence } from './equivalent.ts';
import { describeFault, withFault, type Fault } from './fault.ts';
import type { Failure } from './first-failure.ts';
import { inOrder, RelatedTests } from './related.ts';

interface Outcome extends Fault {
  readonly outcome: 'found' | 'not found' | 'cut off' | 'equivalent' | 'gone';
  /** The test file that found it, or why no test can. */
  readonly by?: string;
  /** The name of the test, and its error. */
  readonly how?: string;
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string' },
    at: { type: 'string', default: 'HEAD' },
    project: { type: 'string', multiple: true, default: [] },
    out: { type: 'string' },
    again: { type: 'string' },
    limit: { type: 'string', default: '300' },
  },
});

const root = join(import.meta.dirname, '..', '..');
const copy = mkdtempSync(join(tmpdir(), 'beleg-faults-'));

function git(...args: string[]): string {
  const done = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
  return done.stdout;
}

/** The first failed test; undefined if all pass; null if they took too long. */
async function failing(tests: readonly string[], untilMs: number): Promise<Failure | undefined | null> {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  // Files that a killed test leaves behind are removed with the folder.
  const temporary = join(copy, 'temporary');
  mkdirSync(temporary, { recursive: true });
  const child = spawn(
    process.execPath,
    [
      '--no-wasm-tier-up',
      join(import.meta.dirname, 'first-failure.ts'),
      JSON.stringify({ report, temporary, projects: values.project, tests }),
    ],
    { cwd: copy, stdio: 'ignore', detached: true },
  );
  const end = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // All processes have ended.
    }
  };
  const over = setTimeout(end, Math.max(untilMs - Date.now(), 1));
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearTimeout(over);
  end();
  rmSync(temporary, { recursive: true, force: true });
  if (signal !== null) return null;
  if (!existsSync(report)) throw new Error(`Vitest ended without a word: has ${values.at} each --project?`);
  return JSON.parse(readFileSync(report, 'utf8')).failure;
}

async function tryFault(fault: Fault, related: RelatedTests, first: string | undefined): Promise<Outcome> {
  const reason = equivalence(fault);
  if (reason !== undefined) return { ...fault, outcome: 'equivalent', by: reason };
  const file = join(copy, fault.file);
  const code = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const faulty = withFault(code, fault);
  if (faulty === undefined) return { ...fault, outcome: 'gone' };
  const tests = inOrder(related.of(fault.file), first);
  if (tests.length === 0) return { ...fault, outcome: 'not found' };
  writeFileSync(file, faulty);
  try {
    const failure = await failing(tests, Date.now() + Number(values.limit) * 1000);
    if (failure === undefined) return { ...fault, outcome: 'not found' };
    return failure === null ? { ...fault, outcome: 'cut off' } : { ...fault, outcome: 'found', ...failure };
  } finally {
    writeFileSync(file, code);
  }
}

try {
  const archive = spawnSync(
    'sh',
    ['-c', `git archive ${git('rev-parse', values.at).trim()} | tar -x -C "$0"`, copy],
    { cwd: root },
  );
  if (archive.status !== 0) throw new Error(archive.stderr.toString());
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const sourcesOf = (commit: string): Map<string, string> =>
    new Map(
      git('ls-tree', '-r', '--name-only', commit)
        .split('\n')
        .filter((file) => /^(events|kb|actors|services|bench)\/.*\.(ts|mjs)$/.test(file))
        .map((file) => [file, git('show', `${commit}:${file}`)]),
    );
  const sources = sourcesOf(values.at);
  const drawnFrom = values.from === undefined ? sources : sourcesOf(values.from);
  const shipped = new Map([...drawnFrom].filter(([file]) => /(?<!\.test|\.suite)\.ts$/.test(file)));
  const faults: readonly (Fault & Partial<Outcome>)[] =
    values.again === undefined
      ? drawFaults(shipped, Number(values.count), Number(values.seed))
      : (JSON.parse(readFileSync(values.again, 'utf8')) as Outcome[]);
  const related = new RelatedTests(sources);
  const outcomes: Outcome[] = [];
  for (const { by, how: _how, outcome: _outcome, ...fault } of faults) {
    const outcome = await tryFault(fault, related, by);
    outcomes.push(outcome);
    console.log(
      `${outcome.outcome.padEnd(10)} ${describeFault(outcome)}${outcome.by === undefined ? '' : ` (${outcome.by})`}`,
    );
    if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(outcomes, null, 1)}\n`);
  }
  const count = (of: Outcome['outcome']): number => outcomes.filter(({ outcome }) => outcome === of).length;
  const tried = outcomes.length - count('equivalent') - count('gone');
  console.log(
    `\n${count('found')} of ${tried} found (${((100 * count('found')) / tried).toFixed(0)} %); ` +
      `${count('cut off')} cut off, ${count('equivalent')} equivalent, ${count('gone')} gone`,
  );
} finally {
  rmSync(copy, { recursive: true });
}
