import { renderAnswer } from './answer.js';
import { key, post, ServiceError } from './api.js';
import { renderFeedback } from './feedback.js';
import { renderProblem } from './problem.js';
import { showStatus } from './status.js';
import { texts, translatePage } from './texts.js';

const STATUS_EVERY_MS = 30_000;

const form = document.querySelector('#ask');
const question = document.querySelector('#question');
const depth = document.querySelector('#top-k');
const keyField = document.querySelector('#key');
const more = document.querySelector('#more');
const submit = document.querySelector('#submit');
const cancel = document.querySelector('#cancel');
const progress = document.querySelector('#progress');
const result = document.querySelector('#result');

let running = null;

async function ask() {
  const request = readForm();
  if (request === null) return;
  running?.abort();
  const controller = new AbortController();
  running = controller;
  showProgress(texts.searching, true);
  show();
  try {
    const answer = await post('/v1/ask', request, controller.signal);
    showProgress('', false);
    const article = renderAnswer(answer, { onRefine: () => question.focus() });
    show(article, renderFeedback(answer));
    article.focus({ preventScroll: true });
    if (article.getBoundingClientRect().top > innerHeight / 2) article.scrollIntoView({ block: 'start' });
  } catch (error) {
    // A newer question has taken over.
    if (running !== controller) return;
    showProgress(controller.signal.aborted ? texts.cancelled : '', false);
    if (!controller.signal.aborted) showProblem(error);
  }
}

function showProblem(error) {
  show(renderProblem(error, ask));
  if (error instanceof ServiceError && error.problem.code === 'UNAUTHORIZED') {
    more.open = true;
    keyField.focus();
  }
  void showStatus();
}

/** What is asked, or `null` with the field at fault in focus. */
function readForm() {
  const words = question.value.trim();
  const top_k = depth.value.trim() === '' ? 8 : Number(depth.value);
  question.setCustomValidity(words === '' ? texts.questionEmpty : '');
  depth.setCustomValidity(Number.isInteger(top_k) && top_k >= 1 && top_k <= 50 ? '' : texts.depthWrong);
  const faulty = [question, depth].find((field) => field.validationMessage !== '');
  if (faulty === undefined) return { question: words, top_k };
  if (faulty === depth) more.open = true;
  faulty.reportValidity();
  return null;
}

function show(...nodes) {
  result.replaceChildren(...nodes.filter((node) => node !== null));
}

function showProgress(words, busy) {
  progress.textContent = words;
  progress.dataset.busy = String(busy);
  submit.disabled = busy;
  cancel.hidden = !busy;
}

translatePage();
keyField.value = key.read();
keyField.addEventListener('input', () => key.write(keyField.value.trim()));
cancel.addEventListener('click', () => running?.abort());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void ask();
});
for (const field of [question, depth]) field.addEventListener('input', () => field.setCustomValidity(''));
question.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  void ask();
});

void showStatus();
setInterval(() => {
  if (!document.hidden) void showStatus();
}, STATUS_EVERY_MS);
