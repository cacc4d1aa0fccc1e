import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['.ci/**/*.test.ts', '{events,actors,kb,services,bench}/**/*.test.ts'],
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
