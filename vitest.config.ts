import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { EVENTSTORE_BINARY } from './testing/eventstoredb/server-process.suite.ts';
import { LongestFirst } from './testing/longest-first.ts';

const TESTS = ['.ci', 'docs', 'events', 'actors', 'kb', 'services', 'testing', 'bench'].map(
  (room) => `${room}/**/*.test.ts`,
);
/** They start processes, kill things, look at pages in a browser or take long: `npm run test:full`. */
const FULL = '**/*.full.test.ts';
/** They run over EventStoreDB: the stand-in as the version that Compose names, and besides what `projects` says. */
const EVENTSTOREDB = '**/*.eventstoredb{,.full}.test.ts';
/** Where versions of it differ: in the adapter, its followers and writers, and once in a whole system. */
const OF_VERSIONS = [
  'events/**/*.eventstoredb{,.full}.test.ts',
  'events/store/eventstoredb/**/*.test.ts',
  'services/foundation/streams/writer.eventstoredb.full.test.ts',
  'services/distributed.eventstoredb.full.test.ts',
];

const projects: TestProjectInlineConfiguration['test'][] = [
  // Hundreds of files start no process each: they share two or three, and leave nothing behind in them.
  { name: 'quick', include: TESTS, exclude: [FULL], isolate: false },
  { name: 'full', include: [FULL] },
  {
    name: 'EventStoreDB 23.10',
    include: OF_VERSIONS,
    env: { EVENTSTORE_STAND_IN: '23.10' },
  },
];
if (EVENTSTORE_BINARY !== undefined) {
  projects.push({
    name: 'EventStoreDB itself',
    include: [EVENTSTOREDB, 'events/store/eventstoredb/cluster.full.test.ts'],
    env: { EVENTSTORE_TESTS: 'server' },
  });
}

/** Where memory has room for it, tests keep their files there: a busy disk is slow, and no test is about one. */
function temporary(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 2 * 1024 ** 3 ? memory : tmpdir();
}

export default defineConfig({
  test: {
    projects: projects.map((test) => ({ extends: true, test: { exclude: ['**/node_modules/**'], ...test } })),
    // Two cores are the smallest machine this must pass on, and tests wait for processes, disks and clocks in between.
    // Forks isolate native modules and kill tests.
    pool: 'forks',
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // As services/operator/launch.mjs starts the services, which says why.
    execArgv: ['--no-wasm-tier-up'],
    // A guard against hanging, on a machine as busy as it may be: longer than the longest wait (events/patient.suite.ts).
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 10 } },
    env: {
      ORT_DISABLE_TELEMETRY: '1',
      TMPDIR: temporary(),
      // For the processes that tests start, as services/operator/launch.mjs does.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'beleg'),
    },
  },
});
