import { renderAnswer } from './answer.js';
import { key, postInSteps } from './api.js';
import { clearFaults, goToFault, showFault } from './faults.js';
import { renderFeedback } from './feedback.js';
import { ServiceError } from './http.js';
import { renderProblem } from './problem.js';
import { checkContext, fieldAt, isReview, readContext } from './review-form.js';
import { showStatus } from './status.js';
import { beginSteps, endSteps, showStep } from './steps.js';
import { faultOf, texts, translatePage } from './texts.js';

const STATUS_EVERY_MS = 30_000;

const form = document.querySelector('#ask');
const question = document.querySelector('#question');
const depth = document.querySelector('#top-k');
const keyField = document.querySelector('#key');
const more = document.querySelector('#more');
const submit = document.querySelector('#submit');
const cancel = document.querySelector('#cancel');
const mode = document.querySelector('#mode');
const review = document.querySelector('#review');
const questionLabel = document.querySelector('#question-label');
const hint = document.querySelector('#question-hint');
const result = document.querySelector('#result');

let running = null;

async function ask() {
  const request = readForm();
  if (request === null) return;
  running?.abort();
  const controller = new AbortController();
  running = controller;
  beginSteps();
  setBusy(true);
  show();
  try {
    const answer = await postInSteps('/v1/ask', request, {
      signal: controller.signal,
      onStep: (name, data) => running === controller && showStep(name, data),
    });
    endSteps();
    setBusy(false);
    const article = renderAnswer(answer, { onRefine: () => question.focus() });
    show(article, renderFeedback(answer));
    article.focus({ preventScroll: true });
    if (article.getBoundingClientRect().top > innerHeight / 2) article.scrollIntoView({ block: 'start' });
  } catch (error) {
    // A newer question has taken over.
    if (running !== controller) return;
    setBusy(false);
    if (!controller.signal.aborted) return showProblem(error);
    endSteps(texts.cancelled);
    submit.focus();
  }
}

function showProblem(error) {
  const left = error instanceof ServiceError ? showFaults(error.problem.errors ?? []) : null;
  if (left?.length === 0) {
    endSteps(texts.faultsBelow);
    return goToFault(form);
  }
  endSteps();
  const box = renderProblem(error, ask);
  show(box);
  box.scrollIntoView({ block: 'nearest' });
  if (error instanceof ServiceError && error.problem.code === 'UNAUTHORIZED') {
    more.open = true;
    keyField.focus();
  }
  void refreshStatus();
}

/** Shows what the service found wrong at its fields; `null` where it named no field, else those that are not here. */
function showFaults(errors) {
  if (errors.length === 0) return null;
  return errors.filter(({ path, message }) => {
    const field = { question, top_k: depth }[path] ?? fieldAt(path);
    if (field !== null) showFault(field, faultOf(message));
    return field === null;
  });
}

/** What is asked, or `null` with the fields at fault marked. */
function readForm() {
  clearFaults(form);
  const words = question.value.trim();
  const top_k = depth.value.trim() === '' ? 8 : Number(depth.value);
  if (words === '') showFault(question, texts.questionEmpty);
  if (!Number.isInteger(top_k) || top_k < 1 || top_k > 50) showFault(depth, texts.depthWrong);
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

function show(...nodes) {
  result.replaceChildren(...nodes.filter((node) => node !== null));
}

function setBusy(busy) {
  submit.disabled = busy;
  cancel.hidden = !busy;
}

/** Reviewing is there where the service has it switched on. */
async function refreshStatus() {
  const health = await showStatus();
  if (health === null) return;
  mode.hidden = !health.review_mode;
  if (mode.hidden && isReview()) mode.querySelector('[value=knowledge]').checked = true;
  showMode();
}

function showMode() {
  const reviewing = isReview();
  review.hidden = !reviewing;
  questionLabel.textContent = reviewing ? texts.reviewQuestion : texts.question;
  question.placeholder = reviewing ? texts.reviewExample : texts.example;
  hint.hidden = reviewing;
  submit.textContent = reviewing ? texts.review : texts.ask;
}

translatePage();
keyField.value = key.read();
keyField.addEventListener('input', () => key.write(keyField.value.trim()));
cancel.addEventListener('click', () => running?.abort());
mode.addEventListener('change', showMode);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!submit.disabled) void ask();
});
question.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  void ask();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !cancel.hidden) running.abort();
});

void refreshStatus();
setInterval(() => {
  if (!document.hidden) void refreshStatus();
}, STATUS_EVERY_MS);
