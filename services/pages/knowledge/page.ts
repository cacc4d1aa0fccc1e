import type { z } from 'zod';
import type { AskRequest } from '../../../events/messages/knowledge.ts';
import { find } from '../dom.ts';
// oxlint-disable-next-line import/no-absolute-path -- where the gateway serves it
import { personalDataIn } from '/pages/personal-data.ts';
import { renderAnswer } from './answer.ts';
import { key, postInSteps } from './api.ts';
import { renderBase } from './about-base.ts';
import { clearFaults, goToFault, showFault } from '../faults.ts';
import { renderFeedback } from './feedback.ts';
import { ServiceError, type Fault } from '../http.ts';
import { renderPassage } from './passage.ts';
import { renderProblem } from './problem.ts';
import { MOST } from './request-limits.ts';
import { checkContext, fieldAt, isReview, readContext } from './review-form.ts';
import { showStatus } from './status.ts';
import { beginSteps, endSteps, showStep } from './progress-steps.ts';
import { faultOf, language, texts, translatePage } from './page-language.ts';

const STATUS_EVERY_MS = 30_000;

const form = find('#ask', HTMLFormElement);
const question = find('#question', HTMLTextAreaElement);
const depth = find('#top-k', HTMLInputElement);
const keyField = find('#key', HTMLInputElement);
const more = find('#more', HTMLDetailsElement);
const submit = find('#submit', HTMLButtonElement);
const cancel = find('#cancel');
const mode = find('#mode');
const review = find('#review');
const questionLabel = find('#question-label');
const hint = find('#question-hint');
const personal = find('#personal-data');
const start = find('#start');
const result = find('#result');

let running: AbortController | null = null;
/** The placeholder of the empty question field. */
let example: string = texts.example;

async function ask(): Promise<void> {
  const request = readForm();
  if (request === null) return;
  running?.abort();
  const controller = new AbortController();
  running = controller;
  start.hidden = true;
  beginSteps();
  setBusy(true);
  show();
  let isLost = false;
  try {
    const answer = await postInSteps('/v1/ask', request, {
      signal: controller.signal,
      onStep(name, data) {
        if (name === 'not_recorded') isLost = true;
        else if (running === controller) showStep(name, data);
      },
    });
    endSteps();
    setBusy(false);
    const article = renderAnswer(answer, { onRefine: () => question.focus(), onAsk: askFor });
    show(article, renderPassage(answer, article), renderFeedback(answer, { isLost }));
    article.focus({ preventScroll: true });
    if (article.getBoundingClientRect().top > innerHeight / 2) article.scrollIntoView({ block: 'start' });
  } catch (error) {
    // A newer question has replaced this one.
    if (running !== controller) return;
    setBusy(false);
    if (!controller.signal.aborted) return showProblem(error);
    endSteps(texts.cancelled);
    submit.focus();
  }
}

/** Asks a question that was chosen on the page. */
function askFor(words: string): void {
  question.value = words;
  warnOfPersonalData();
  void ask();
}

function showProblem(error: unknown): void {
  const left = error instanceof ServiceError ? showFaults(error.problem.errors ?? []) : null;
  if (left?.length === 0) {
    endSteps(texts.faultsBelow);
    return goToFault(form);
  }
  endSteps();
  const box = renderProblem(error, () => void ask());
  show(box);
  box.scrollIntoView({ block: 'nearest' });
  if (error instanceof ServiceError && error.problem.code === 'UNAUTHORIZED') {
    more.open = true;
    keyField.focus();
  }
  void refreshStatus();
}

/** Shows faults at their fields. Returns the faults of fields that are not here; `null` if no field was named. */
function showFaults(errors: readonly Fault[]): readonly Fault[] | null {
  if (errors.length === 0) return null;
  return errors.filter(({ path, message }) => {
    const field = path === 'question' ? question : path === 'top_k' ? depth : fieldAt(path);
    if (field !== null) showFault(field, faultOf(message));
    return field === null;
  });
}

/** The request of the form, or `null` with its faulty fields marked. */
function readForm(): z.input<typeof AskRequest> | null {
  clearFaults(form);
  const words = question.value.trim();
  const top_k = depth.value.trim() === '' ? 8 : Number(depth.value);
  if (words === '') showFault(question, texts.questionEmpty);
  // A `maxlength` attribute would cut pasted text without saying so.
  if (words.length > MOST.question) showFault(question, texts.tooLong(MOST.question));
  if (!Number.isInteger(top_k) || top_k < 1 || top_k > MOST.passages) showFault(depth, texts.depthWrong);
  if (isReview()) checkContext();
  if (form.querySelector('[aria-invalid]') !== null) {
    endSteps(texts.faultsBelow);
    goToFault(form);
    return null;
  }
  return isReview()
    ? { question: words, top_k, mode: 'review', context: readContext() }
    : { question: words, top_k };
}

/** Warns before anything is sent, but does not hold it back. */
function warnOfPersonalData(): void {
  const kinds = personalDataIn(question.value);
  const list = new Intl.ListFormat(language).format(kinds.map((kind) => texts[kind]));
  const words = kinds.length === 0 ? '' : texts.personalData(list);
  if (personal.textContent !== words) personal.textContent = words;
}

function show(...nodes: (HTMLElement | null)[]): void {
  result.replaceChildren(...nodes.filter((node) => node !== null));
}

function setBusy(busy: boolean): void {
  submit.disabled = busy;
  cancel.hidden = !busy;
}

/** Shows the state of the service. The review mode is offered if the service has it switched on. */
async function refreshStatus(): Promise<void> {
  const health = await showStatus();
  if (health === null) return;
  example = health.base?.questions[0] ?? texts.example;
  if (start.firstChild === null && health.base !== null) start.append(...renderBase(health.base, askFor));
  mode.hidden = !health.review_mode;
  if (mode.hidden && isReview()) find('[value=knowledge]', HTMLInputElement, mode).checked = true;
  showMode();
}

function showMode(): void {
  const reviewing = isReview();
  review.hidden = !reviewing;
  start.hidden = reviewing || running !== null;
  questionLabel.textContent = reviewing ? texts.reviewQuestion : texts.question;
  question.placeholder = reviewing ? texts.reviewExample : example;
  hint.hidden = reviewing;
  submit.textContent = reviewing ? texts.review : texts.ask;
}

translatePage();
showMode();
keyField.value = key.read();
keyField.addEventListener('input', () => key.write(keyField.value.trim()));
cancel.addEventListener('click', () => running?.abort());
mode.addEventListener('change', showMode);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!submit.disabled) void ask();
});
question.addEventListener('input', warnOfPersonalData);
question.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  void ask();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !cancel.hidden) running?.abort();
});

void refreshStatus();
setInterval(() => {
  if (!document.hidden) void refreshStatus();
}, STATUS_EVERY_MS);
