import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { EVENTSTORE_BINARY } from './events/store/eventstoredb/server-process.suite.ts';

/** Suites over EventStoreDB: they run on the stand-in as the version that Compose names. */
const EVENTSTORE = [
  'events/store/eventstoredb/eventstoredb.test.ts',
  'events/store/followers.test.ts',
  'events/projections/deaf.test.ts',
  'services/record.test.ts',
  'services/audit/checkpoints/checkpoints.test.ts',
  'services/trading/paper-broker/contract.test.ts',
  'services/distributed.test.ts',
  'services/distributed-trading.test.ts',
];

/** What they run on besides: the older version where the long suite is asked for, and the server itself where it is. */
const EVENTSTORE_PROJECTS = [
  ...(process.env['BELEG_LONG'] === '1'
    ? [
        {
          name: 'EventStoreDB 23.10',
          include: [...EVENTSTORE, 'events/store/eventstoredb/**/*.test.ts'],
          env: { EVENTSTORE_STAND_IN: '23.10' },
        },
      ]
    : []),
  ...(EVENTSTORE_BINARY === undefined
    ? []
    : [
        {
          name: 'EventStoreDB itself',
          include: [...EVENTSTORE, 'events/store/eventstoredb/cluster.test.ts'],
          env: { EVENTSTORE_TESTS: 'server' },
        },
      ]),
];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'beleg',
          include: ['.ci/**/*.test.ts', '{docs,events,actors,kb,services,bench}/**/*.test.ts'],
        },
      },
      ...EVENTSTORE_PROJECTS.map((test) => ({ extends: true as const, test })),
    ],
    // Two cores are the smallest machine this must pass on, and tests wait for processes, disks and clocks in between.
    // Forks isolate native modules and kill tests.
    pool: 'forks',
    maxWorkers: 3,
    // As services/operator/launch.mjs starts the services, which says why.
    execArgv: ['--no-wasm-tier-up'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: {
      ORT_DISABLE_TELEMETRY: '1',
      // For the processes that tests start, as services/operator/launch.mjs does.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'beleg'),
    },
  },
});
