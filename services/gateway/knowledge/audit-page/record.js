import { el } from '../page/dom.js';
import { ServiceError } from '../page/http.js';
import { renderProblem } from '../page/problem.js';
import { copyButton, exactTime, number, shortened } from './format.js';
import { makeCheckpoint, readRecord } from './service.js';
import { texts } from './texts.js';

/** How far the record is proven, with a button that proves it up to now. `onProblem` gets what the key may be to blame for. */
export function createRecord(box, onProblem) {
  const facts = el('dl', { className: 'facts' });
  const outcome = el('div', { attributes: { role: 'status' } });
  const button = el('button', { type: 'button', id: 'checkpoint', className: 'small', onclick: make });
  button.textContent = texts.checkpointNow;
  box.replaceChildren(
    el('div', { className: 'head' }, el('h2', { id: 'record-title' }, texts.recordTitle), button),
    facts,
    outcome,
  );

  function show() {
    outcome.replaceChildren();
    return refresh();
  }

  async function refresh() {
    try {
      facts.replaceChildren(...describe(await readRecord()));
      box.hidden = false;
    } catch (error) {
      fail(error, show);
    }
  }

  async function make() {
    button.disabled = true;
    outcome.replaceChildren(el('p', { className: 'hint' }, texts.checkpointing));
    try {
      const { size, repeated, note } = await makeCheckpoint();
      const words = repeated ? texts.checkpointSame : texts.checkpointMade(number(size));
      outcome.replaceChildren(
        el('p', { className: 'line' }, words, copyButton(note, texts.note, texts.copyName(texts.note))),
      );
      await refresh();
    } catch (error) {
      fail(error, null);
    } finally {
      button.disabled = false;
    }
  }

  function fail(error, onRetry) {
    // That nothing is recorded the list says already.
    box.hidden = error instanceof ServiceError && error.problem.code === 'AUDIT_DISABLED';
    if (!onProblem(error)) outcome.replaceChildren(renderProblem(error, onRetry));
  }

  return {
    show,
    clear() {
      facts.replaceChildren();
      outcome.replaceChildren();
    },
  };
}

function describe({ checkpoint, erased }) {
  const rows =
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
    .map(([term, value]) => el('div', {}, el('dt', {}, term), el('dd', {}, value)));
}
