import { listAtStart } from '../../kb/base/look.ts';
import { snapshotIn } from '../../kb/snapshot/listed-files.ts';
import { indexFolderOf } from '../knowledge/index-folder.ts';
import type { Environment } from '../foundation/settings-error.ts';
import { startIndexBars } from './index-bars.ts';
import { runUntilStopped } from './run-until-stopped.ts';

/** Runs everything in one process until SIGTERM or SIGINT. */
export function serve(environment: Environment): Promise<void> {
  return runUntilStopped(environment, {
    service: 'all',
    async start(settings, logger) {
      using bars = startIndexBars();
      // A listing of half a million files takes seconds: it is under way while the rest of the program is loaded.
      const listing = listAtStart(settings.kbPath, snapshotIn(indexFolderOf(settings)), true);
      const { startApplication } = await import('../composition/application.ts');
      const indexing = { onProgress: bars.update, listing };
      const application = await startApplication(settings, logger, { indexing });
      bars.stop();
      console.log(
        `beleg: listening on ${application.url} (test page at /, operators at /audit, API at /docs)`,
      );
      console.log(`beleg: trading dashboard on ${application.dashboardUrl} (API at /docs)`);
      return { instance: application.runtime.instance, close: () => application.close() };
    },
  });
}
