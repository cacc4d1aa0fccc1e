import type { HealthResponse } from '../../gateway/knowledge/health.ts';
import { readHealth } from './api.ts';
import { el, facts, find } from '../dom.ts';
import { language, texts } from './page-language.ts';
import { germanReason } from './reasons.ts';

const box = find('#status');
const text = find('#status-text');
const details = find('#status-details');

/** Queries and shows the service's health; `null` if it does not answer. */
export async function showStatus(): Promise<HealthResponse | null> {
  try {
    const health = await readHealth();
    show(health.status, texts[health.status]);
    details.replaceChildren(...facts(describe(health)));
    return health;
  } catch {
    show('unavailable', texts.unreachable);
    details.replaceChildren(el('dt', texts.offline));
    return null;
  }
}

/** Only written if it changes, so that a screen reader does not repeat it. */
function show(state: string, words: string): void {
  box.dataset.state = state;
  if (text.textContent !== words) text.textContent = words;
}

/** `312 of 317, 5 left out`. */
function filesOf({ read, left_out }: HealthResponse['index']['files']): string {
  return left_out === 0 ? read.toLocaleString(language) : texts.filesRead(read, read + left_out, left_out);
}

function describe({ version, index, model, retrieval, audit }: HealthResponse): [string, string][] {
  const built = index.built_at === null ? '–' : new Date(index.built_at).toLocaleString(language);
  const record = audit.enabled ? (audit.ready ? texts.auditOn : texts.auditBroken) : texts.auditOff;
  return [
    [texts.files, filesOf(index.files)],
    ...index.files.reasons.map(({ reason, files }): [string, string] => [
      texts.leftOut,
      `${language.startsWith('de') ? germanReason(reason) : reason} (${files.toLocaleString(language)})`,
    ]),
    [texts.passages, index.passages.toLocaleString(language)],
    [texts.builtAt, built],
    [texts.model, model.name || '–'],
    [texts.retrieval, retrieval || '–'],
    [texts.audit, record],
    [texts.version, version],
  ];
}
