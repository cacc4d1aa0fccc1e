import { el } from '../dom.ts';
import { ServiceError } from '../http.ts';
import { renderProblem } from '../knowledge/problem.ts';
import { copyButton } from '../knowledge/copy-button.ts';
import { exactTime, number, shortened } from './format.ts';
import { makeCheckpoint, readRecord, type RecordState } from './api.ts';
import { texts } from './texts.ts';

/** Shows how far the record is proven. `onProblem` gets errors that the key may have caused. */
export function createRecord(
  box: HTMLElement,
  onProblem: (error: unknown) => boolean,
): { show(): Promise<void>; clear(): void } {
  const facts = el('dl.facts');
  const outcome = el('div', { role: 'status' });
  const button = el(
    'button.small',
    { type: 'button', id: 'checkpoint', onclick: () => void make() },
    texts.checkpointNow,
  );
  box.replaceChildren(
    el('div.head', el('h2', { id: 'record-title' }, texts.recordTitle), button),
    facts,
    outcome,
  );

  /** If two reads overlap, only the later one counts. */
  let reading = new AbortController();
  /** False once the view is closed: the result of a checkpoint is then not shown. */
  let isOpen = false;

  function show(): Promise<void> {
    isOpen = true;
    outcome.replaceChildren();
    return refresh();
  }

  async function refresh(): Promise<void> {
    reading.abort();
    const { signal } = (reading = new AbortController());
    try {
      const state = await readRecord(signal);
      if (signal.aborted) return;
      facts.replaceChildren(...describe(state));
      box.hidden = false;
    } catch (error) {
      if (!signal.aborted) fail(error, () => void show());
    }
  }

  async function make(): Promise<void> {
    button.disabled = true;
    outcome.replaceChildren(el('p.hint', texts.checkpointing));
    try {
      const { size, repeated, note } = await makeCheckpoint();
      if (!isOpen) return;
      const words = repeated ? texts.checkpointSame : texts.checkpointMade(number(size));
      outcome.replaceChildren(el('p.line', words, copyButton(note, texts.note, texts.copyName(texts.note))));
      await refresh();
    } catch (error) {
      if (isOpen) fail(error, null);
    } finally {
      button.disabled = false;
    }
  }

  function fail(error: unknown, onRetry: (() => void) | null): void {
    // The list already says that nothing is recorded.
    box.hidden = error instanceof ServiceError && error.problem.code === 'AUDIT_DISABLED';
    if (!onProblem(error)) outcome.replaceChildren(renderProblem(error, onRetry));
  }

  return {
    show,
    clear() {
      isOpen = false;
      reading.abort();
      facts.replaceChildren();
      outcome.replaceChildren();
    },
  };
}

function describe({ checkpoint, erased }: RecordState): HTMLElement[] {
  const rows: [term: string, value: (HTMLElement | string | null)[]][] =
    checkpoint === null
      ? [[texts.checkpoint, [texts.noCheckpoint]]]
      : [
          [texts.checkpoint, [texts.checkpointOf(number(checkpoint.size)), ' · ', exactTime(checkpoint.at)]],
          [texts.root, shortened(checkpoint.root, texts.root)],
          [
            texts.signed,
            checkpoint.key === null ? [texts.unsigned] : shortened(checkpoint.key, texts.publicKey),
          ],
          [texts.expect, [copyButton(`${checkpoint.size}:${checkpoint.root}`, texts.expectName)]],
        ];
  rows.push([texts.erasedCount, [number(erased)]]);
  return rows
    .filter(([, value]) => value.some((part) => part !== null))
    .map(([term, value]) => el('div', el('dt', term), el('dd', value)));
}
