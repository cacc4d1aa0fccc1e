import type { HealthResponse } from '../../gateway/knowledge/health.ts';
import { readHealth } from './api.ts';
import { el, facts, find } from '../dom.ts';
import { language, texts } from './page-language.ts';
import { germanReason } from './reasons.ts';
import { statusWords } from './status-words.ts';

const box = find('#status');
const text = find('#status-text');
const details = find('#status-details');

/** Queries and shows the service's health; `null` if it does not answer. */
export async function showStatus(): Promise<HealthResponse | null> {
  try {
    const health = await readHealth();
    show(health.status, statusWords(health, texts));
    details.replaceChildren(...facts(describe(health)));
    return health;
  } catch {
    show('unavailable', texts.unreachable);
    details.replaceChildren(el('dt', texts.offline));
    return null;
  }
}

/** Shows the state. The words are written only if they change, so that a screen reader does not repeat them. */
function show(state: string, words: string): void {
  box.dataset.state = state;
  if (text.textContent !== words) text.textContent = words;
}

/** The counts of files in words: `312 of 317, 5 left out`. */
function filesOf({ read, left_out }: HealthResponse['index']['files']): string {
  return left_out === 0 ? read.toLocaleString(language) : texts.filesRead(read, read + left_out, left_out);
}

const inWords = (reason: string): string => (language.startsWith('de') ? germanReason(reason) : reason);

/** The files that were left out for this reason, as far as the service names them: `: a.pdf, b.docx`. */
function namesOf({ left_out_files }: HealthResponse['index']['files'], reason: string): string {
  const inside = reason === 'has faults in it';
  const named = left_out_files.filter((file) =>
    inside ? /^line \d/.test(file.reason) : file.reason === reason,
  );
  return named.length === 0 ? '' : `: ${named.map(({ path }) => path).join(', ')}`;
}

function describe({ version, index, model, retrieval, audit }: HealthResponse): [string, string][] {
  const built = index.built_at === null ? '–' : new Date(index.built_at).toLocaleString(language);
  const record = audit.enabled ? (audit.ready ? texts.auditOn : texts.auditBroken) : texts.auditOff;
  return [
    [texts.files, filesOf(index.files)],
    ...(index.files.trouble === null
      ? []
      : [[texts.folder, inWords(index.files.trouble)] satisfies [string, string]]),
    ...index.files.reasons.map(({ reason, files }): [string, string] => [
      texts.leftOut,
      `${inWords(reason)} (${files.toLocaleString(language)})${namesOf(index.files, reason)}`,
    ]),
    [texts.sources, index.sources.toLocaleString(language)],
    [texts.passages, index.passages.toLocaleString(language)],
    [texts.builtAt, built],
    [texts.model, model.name || '–'],
    [texts.retrieval, retrieval || '–'],
    [texts.audit, record],
    [texts.version, version],
  ];
}
