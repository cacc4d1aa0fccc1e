// Runs test files in order, in the current folder, up to the first failure. It is a program of its own, so that a fault
// that hangs can be ended with all its processes. `argv[2]`: `Order`, as JSON.
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, startVitest, type TestModule, type TestSpecification } from 'vitest/node';

export interface Order {
  /** The file for the result `{ failure? }`. */
  readonly report: string;
  readonly temporary: string;
  readonly projects: readonly string[];
  readonly tests: readonly string[];
}
export interface Failure {
  readonly by: string;
  readonly how: string;
}

const { report, temporary, projects, tests } = JSON.parse(process.argv[2]!) as Order;
const root = process.cwd();

const placeOf = ({ moduleId }: TestSpecification): number => tests.indexOf(relative(root, moduleId));

class AsOrdered extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

/** Exits without waiting for what still runs. */
function end(failure?: Failure): never {
  writeFileSync(report, JSON.stringify({ failure }));
  process.exit();
}

const saying = (name: string, errors: readonly { message: string }[] | undefined): string =>
  `${name}: ${errors?.[0]?.message.split('\n')[0] ?? ''}`;

await startVitest(
  'test',
  [...tests],
  {
    run: true,
    watch: false,
    passWithNoTests: true,
    ...(projects.length > 0 && { project: [...projects] }),
    maxWorkers: 2,
    env: { TMPDIR: temporary },
    // A fault changes one module; the others are transformed once.
    fsModuleCache: true,
    fsModuleCachePath: join(root, 'modules'),
    sequence: { sequencer: AsOrdered },
    reporters: [
      {
        onTestCaseResult(test) {
          const { state, errors } = test.result();
          if (state === 'failed')
            end({ by: relative(root, test.module.moduleId), how: saying(test.fullName, errors) });
        },
        onTestModuleEnd(module: TestModule) {
          if (module.state() === 'failed')
            end({ by: relative(root, module.moduleId), how: saying('the file', module.errors()) });
        },
        onTestRunEnd(_modules, unhandled) {
          if (unhandled.length > 0)
            end({ by: 'the run as a whole', how: saying('outside of tests', unhandled) });
        },
      },
    ],
  },
  { root },
);
end();
