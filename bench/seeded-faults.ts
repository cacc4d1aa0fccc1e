// `npm run faults`: puts faults into the code, one line and one at a time, and prints the share that the tests find.
//
//   --count 60 --seed 1     which faults are drawn
//   --at COMMIT             the commit they are put into (HEAD)
//   --project NAME          a project of vitest.config.ts, more than once if wanted (all of them)
//   --out FILE              keeps the faults, what became of each, and the test file that found it
//   --again FILE            takes the faults of such a file; each is shown first to the test file that found it there
//   --limit 120             seconds after which a fault counts as not found
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { drawFaults } from './seeded-faults/draw.ts';
import { equivalence } from './seeded-faults/equivalent.ts';
import { describeFault, withFault, type Fault } from './seeded-faults/fault.ts';
import { RelatedTests } from './seeded-faults/related.ts';

/** Test files that are tried before the rest: most faults are found close by. */
const NEAREST = 6;

interface Outcome extends Fault {
  readonly outcome: 'found' | 'not found' | 'cut off' | 'equivalent' | 'gone';
  /** The test file that found it, or why no test can. */
  readonly by?: string;
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    at: { type: 'string', default: 'HEAD' },
    project: { type: 'string', multiple: true, default: [] },
    out: { type: 'string' },
    again: { type: 'string' },
    limit: { type: 'string', default: '120' },
  },
});

const root = dirname(import.meta.dirname);
const copy = mkdtempSync(join(tmpdir(), 'beleg-faults-'));

function git(...args: string[]): string {
  const done = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
  return done.stdout;
}

/** The test file that failed first; undefined where all hold; null where they took too long. */
async function failing(tests: readonly string[], untilMs: number): Promise<string | undefined | null> {
  if (tests.length === 0) return undefined;
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const projects = values.project.map((name) => `--project=${name}`);
  const child = spawn(
    process.execPath,
    [
      vitest,
      'run',
      '--bail=1',
      '--passWithNoTests',
      '--reporter=json',
      `--outputFile=${report}`,
      ...projects,
      ...tests,
    ],
    { cwd: copy, stdio: 'ignore', detached: true },
  );
  const over = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), Math.max(untilMs - Date.now(), 1));
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearTimeout(over);
  if (signal !== null) return null;
  if (code === 0) return undefined;
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { name: string; status: string }[];
  };
  const failed = testResults.find(({ status }) => status === 'failed');
  return failed === undefined ? 'the run as a whole' : relative(copy, failed.name);
}

async function tryFault(fault: Fault, related: RelatedTests, first: string | undefined): Promise<Outcome> {
  const reason = equivalence(fault);
  if (reason !== undefined) return { ...fault, outcome: 'equivalent', by: reason };
  const file = join(copy, fault.file);
  const code = readFileSync(file, 'utf8');
  const faulty = withFault(code, fault);
  if (faulty === undefined) return { ...fault, outcome: 'gone' };
  const tests = related.of(fault.file);
  const until = Date.now() + Number(values.limit) * 1000;
  writeFileSync(file, faulty);
  try {
    const rounds = [tests.filter((test) => test === first), tests.slice(0, NEAREST), tests.slice(NEAREST)];
    for (const round of rounds) {
      const by = await failing(round, until);
      if (by === null) return { ...fault, outcome: 'cut off' };
      if (by !== undefined) return { ...fault, outcome: 'found', by };
    }
    return { ...fault, outcome: 'not found' };
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
  const sources = new Map(
    git('ls-tree', '-r', '--name-only', values.at)
      .split('\n')
      .filter((file) => /^(events|kb|actors|services|bench)\/.*\.(ts|mjs)$/.test(file))
      .map((file) => [file, readFileSync(join(copy, file), 'utf8')]),
  );
  const shipped = new Map([...sources].filter(([file]) => /(?<!\.test|\.suite)\.ts$/.test(file)));
  const faults: readonly (Fault & { by?: string })[] =
    values.again === undefined
      ? drawFaults(shipped, Number(values.count), Number(values.seed))
      : (JSON.parse(readFileSync(values.again, 'utf8')) as Outcome[]);
  const related = new RelatedTests(sources);
  const outcomes: Outcome[] = [];
  for (const { by, ...fault } of faults) {
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
