import { el } from '../dom.ts';
import { clearFaults, goToFault, showFault } from '../faults.ts';
import { ServiceError } from '../http.ts';
import { renderProblem } from '../knowledge/problem.ts';
import { eraseText, type Erased } from './api.ts';
import { texts } from './texts.ts';

const MOST_REASON = 500;

/**
 * Asks before erasing: shows what is lost and what stays, and requires the reason and the request id. `onErased` gets
 * the service's reply; `onProblem` returns whether it has handled an error, such as a key that is no longer valid.
 */
export function askToErase(
  requestId: string,
  { onErased, onProblem }: { onErased: (erased: Erased) => void; onProblem: (error: unknown) => boolean },
): void {
  const reason = el('textarea', {
    id: 'reason',
    rows: 3,
    maxLength: MOST_REASON,
    attributes: { 'aria-describedby': 'reason-hint' },
  });
  const left = el('span', texts.reasonLeft(MOST_REASON));
  const repeated = el('input', { id: 'repeat-id', autocapitalize: 'none', spellcheck: false });
  const outcome = el('div', { role: 'status' });
  const submit = el('button.danger', { type: 'submit' }, texts.eraseNow);
  const cancel: HTMLButtonElement = el(
    'button',
    { type: 'button', onclick: () => dialog.close() },
    texts.cancel,
  );
  const form = el(
    'form',
    { autocomplete: 'off', noValidate: true },
    el('h2', { id: 'erase-title' }, texts.eraseTitle),
    el('p', `${texts.requestId} `, el('code', requestId)),
    el('h3', texts.eraseLost),
    el('p', texts.eraseLostWhat),
    el('h3', texts.eraseStays),
    el('p', texts.eraseStaysWhat),
    el('div', el('label', { htmlFor: 'reason' }, texts.reason), reason),
    el('p.hint', { id: 'reason-hint' }, texts.reasonHint, ' (', left, ')'),
    el('div', el('label', { htmlFor: 'repeat-id' }, texts.repeatId), repeated),
    outcome,
    el('div.actions', submit, cancel),
  );
  let running = false;

  reason.addEventListener('input', () => {
    left.textContent = texts.reasonLeft(MOST_REASON - reason.value.length);
  });
  async function send(): Promise<void> {
    if (running || !check()) return;
    setRunning(true);
    outcome.replaceChildren(el('p.hint', texts.erasing));
    try {
      const erased = await eraseText(requestId, reason.value.trim());
      dialog.close();
      onErased(erased);
    } catch (error) {
      setRunning(false);
      if (onProblem(error)) dialog.close();
      else outcome.replaceChildren(renderFailure(error));
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  const dialog: HTMLDialogElement = el(
    'dialog',
    {
      // A request that was sent cannot be taken back, so the dialog stays open until the reply.
      oncancel(event) {
        if (running) event.preventDefault();
      },
      onclose: () => dialog.remove(),
      attributes: { 'aria-labelledby': 'erase-title' },
    },
    form,
  );

  function check(): boolean {
    clearFaults(form);
    if (reason.value.trim() === '') showFault(reason, texts.missing);
    if (repeated.value.trim() !== requestId) showFault(repeated, texts.idDiffers);
    if (form.querySelector('[aria-invalid]') === null) return true;
    goToFault(form);
    return false;
  }

  function setRunning(value: boolean): void {
    running = value;
    for (const control of [submit, cancel]) control.disabled = value;
    for (const field of [reason, repeated]) field.readOnly = value;
  }

  document.body.append(dialog);
  dialog.showModal();
  reason.focus();
}

/** Without a reply the erasure may be done or not. */
function renderFailure(error: unknown): HTMLElement {
  if (error instanceof ServiceError) return renderProblem(error, null);
  return el('p.notice.error', { role: 'alert' }, texts.eraseUnknown);
}
