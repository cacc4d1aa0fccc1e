import { el } from '../dom.ts';
import { ServiceError, type Problem } from '../http.ts';
import { texts, titleOf } from './page-language.ts';

/** A box for an error: title, detail, request id, and a button if a retry makes sense. */
export function renderProblem(error: unknown, onRetry: (() => void) | null): HTMLElement {
  const problem: Problem =
    error instanceof ServiceError ? error.problem : { title: texts.offline, code: '', request_id: '' };
  const title = titleOf(problem);
  const detail = problem.code === 'UNAUTHORIZED' ? texts.keyNeeded : problem.detail;
  return el(
    'section.notice.error',
    { role: 'alert' },
    el('h2', title),
    detail === undefined || detail === '' || detail === problem.title ? null : el('p', detail),
    problem.request_id === '' ? null : el('p.hint', `${texts.requestId}: `, el('code', problem.request_id)),
    onRetry === null ? null : retryButton(onRetry, error instanceof ServiceError ? error.retryAfter : 0),
  );
}

/** Counts down the seconds that the service asked for. */
function retryButton(onRetry: () => void, seconds: number): HTMLElement {
  const button = el('button', { type: 'button', onclick: onRetry }, texts.retry);
  let left = seconds;
  const tick = () => {
    button.disabled = left > 0;
    button.textContent = left > 0 ? texts.retryIn(left) : texts.retry;
    if (left-- > 0) setTimeout(tick, 1_000);
  };
  tick();
  return button;
}
