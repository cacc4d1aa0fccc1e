import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take half a minute and more on two cores, longest first. A file that is not here takes its turn by its size. */
export const LONGEST = [
  'services/backtest/check-strategy.full.test.ts',
  'docs/shell-blocks.full.test.ts',
  'services/gateway/report-pages.full.test.ts',
  'testing/changes/changes.full.test.ts',
  'testing/crash/process-distributed.full.test.ts',
  'services/actors-seen.eventstoredb.full.test.ts',
  'services/trading/live-as-backtest.full.test.ts',
  'services/operator/backtest.full.test.ts',
  'services/operator/sweep.full.test.ts',
  'services/operator/beleg.full.test.ts',
  'services/gateway/dashboard/page.full.test.ts',
  'services/operator/kb-test/kb-test.full.test.ts',
  'kb/snapshot/crash.full.test.ts',
  'services/gateway/knowledge/page.full.test.ts',
  'services/gateway/knowledge/page-review.full.test.ts',
  'services/gateway/knowledge/audit-page.full.test.ts',
  'services/gateway/dashboard/page-training.full.test.ts',
  'services/gateway/knowledge/page-passage.full.test.ts',
  'kb/documents/odd-files.full.test.ts',
  'testing/simulate/simulate.full.test.ts',
  'services/backtest/sweep/noise-sweeps.full.test.ts',
  'testing/crash/process.full.test.ts',
  'events/store/eventstoredb/contract.eventstoredb.full.test.ts',
  'services/gateway/below-a-path.full.test.ts',
  'kb/change-knowledge.test.ts',
  'kb/documents/parse.test.ts',
  'services/models/training/telemetry.test.ts',
  'events/sqlite/file-place.test.ts',
  'services/composition/damaged-record.test.ts',
  'services/composition/application.test.ts',
  'services/composition/missing-record.test.ts',
  'events/projections/runner.test.ts',
  'services/composition/own-record.test.ts',
] as const;

/**
 * Starts the longest files first, so that all workers end at about the same time. On a clean checkout there are no durations of an
 * earlier run, and the longest files are among the smallest.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const at = LONGEST.indexOf(relative(root, moduleId) as (typeof LONGEST)[number]);
      return at === -1 || project.name === 'EventStoreDB 23.10' ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
