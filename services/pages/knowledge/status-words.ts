import type { HealthResponse } from '../../gateway/knowledge/health.ts';
import type { Texts } from './languages.ts';

type Told = Pick<HealthResponse, 'status' | 'degraded_by'> & {
  readonly index: { readonly files: Pick<HealthResponse['index']['files'], 'left_out'> };
};

/** The state of the service in a few words. If several parts are degraded, the gravest is named. */
export function statusWords({ status, degraded_by: [gravest], index }: Told, texts: Texts): string {
  if (status !== 'degraded' || gravest === undefined) return texts[status === 'degraded' ? 'ok' : status];
  if (gravest === 'files') return texts.degradedFiles(index.files.left_out);
  return {
    folder: texts.degradedFolder,
    record: texts.degradedRecord,
    clock: texts.degradedClock,
    model: texts.degradedModel,
  }[gravest];
}
