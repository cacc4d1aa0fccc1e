import { el, find } from '../dom.ts';
import { clearFaults, goToFault, showFault } from '../faults.ts';
import { ServiceError } from '../http.ts';
import { renderProblem } from '../knowledge/problem.ts';
import { renderDetail } from './request-detail.ts';
import { askToErase } from './erase.ts';
import { number } from './format.ts';
import { createList } from './request-list.ts';
import { fragmentOf, readView, startOf, type View } from './address-fragment.ts';
import { createRecord } from './record-state.ts';
import { keyIsGiven, listRequests, setKey, showRequest } from './api.ts';
import { translatePage } from '../knowledge/page-language.ts';
import { texts } from './texts.ts';

const PAGE_SIZE = 50;
/** How many pages are requested in a row if few or none of their entries match. */
const MOST_PAGES = 20;

const fields = {
  status: find('#status', HTMLSelectElement),
  rating: find('#rating', HTMLSelectElement),
  from: find('#from', HTMLInputElement),
  to: find('#to', HTMLInputElement),
};
const FILTERS = Object.keys(fields) as (keyof typeof fields)[];
const unlock = find('#unlock');
const keyField = find('#key', HTMLInputElement);
const inside = find('#inside');
const leave = find('#leave');
const opening = find('#opening');
const filters = find('#filters');
const text = find('#text', HTMLInputElement);
const count = find('#count');
const reset = find('#reset');
const next = find('#next', HTMLButtonElement);
const detail = find('#detail');
const listProblem = find('#list-problem');

const list = createList(find('#list'), (request) => fragmentOf({ ...readFilters(), request }));
const record = createRecord(find('#record'), lockIfUnauthorized);

/** The query of the list, and the cursor of its next page, which is `null` at the end. */
let query: Parameters<typeof listRequests>[0] = {};
let cursor: string | null = null;
let listing = new AbortController();
let showing = new AbortController();
let openRequest = '';

/** Log-in and log-out */

/** Tries to open the page without a key, because a service on one's own machine needs none. */
async function enter(): Promise<void> {
  opening.textContent = texts.opening;
  if (await loadFirst()) {
    opening.textContent = '';
    unlock.hidden = true;
    inside.hidden = false;
    leave.hidden = !keyIsGiven();
    void record.show();
    void followAddress();
  }
}

/** Hides everything if the key caused the error, until another key is entered; returns whether it did. */
function lockIfUnauthorized(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.problem.code !== 'UNAUTHORIZED') return false;
  const { title, detail } = error.problem;
  const wrong = keyIsGiven();
  lock();
  // This error has a detail besides its title only if the service has no key configured, so that no key would help.
  if (detail !== title) showFault(keyField, texts.keyNotSet);
  else if (wrong) showFault(keyField, texts.keyWrong);
  return true;
}

/** Removes everything that is shown, and asks for a key. */
function lock(): void {
  setKey('');
  listing.abort();
  showing.abort();
  list.clear();
  record.clear();
  document.querySelector('dialog')?.close();
  detail.replaceChildren(nothingOpen());
  for (const field of [keyField, text]) field.value = '';
  for (const part of [inside, leave]) part.hidden = true;
  opening.textContent = '';
  openRequest = '';
  unlock.hidden = false;
  keyField.focus();
}

unlock.addEventListener('submit', (event) => {
  event.preventDefault();
  clearFaults(unlock);
  const given = keyField.value.trim();
  // A header cannot have other characters.
  if (!/^[\x21-\x7e]+$/.test(given)) {
    showFault(keyField, given === '' ? texts.keyMissing : texts.keyWrong);
    return goToFault(unlock);
  }
  setKey(given);
  keyField.value = '';
  void enter();
});
leave.addEventListener('click', lock);
// For going back, the browser would keep the page as it is shown, so the page is cleared.
addEventListener('pagehide', (event) => {
  if (event.persisted) lock();
});

/* The list */

function readFilters(): Omit<View, 'request'> {
  const { status, rating, from, to } = fields;
  return { status: status.value, rating: rating.value, from: from.value, to: to.value };
}

/** Loads the first page for these filters; true if there is something to show, even an error. */
async function loadFirst(): Promise<boolean> {
  const { status, rating, from, to } = readFilters();
  const filter = {
    status,
    ...(rating === 'any' ? { feedback: true } : { rating }),
    from: startOf(from),
    to: startOf(to, 1),
    text: text.value.trim(),
  };
  query = { ...filter, limit: PAGE_SIZE };
  reset.hidden = Object.values(filter).every((value) => value === '');
  list.clear();
  return load('');
}

/**
 * Loads pages from here on. A page may have few entries or none without being the last; then the next one is loaded
 * too.
 */
async function load(from: string): Promise<boolean> {
  listing.abort();
  const controller = new AbortController();
  listing = controller;
  next.disabled = true;
  count.textContent = texts.loading;
  listProblem.replaceChildren();
  cursor = from;
  const enough = list.size + PAGE_SIZE;
  try {
    for (let pages = 0; pages < MOST_PAGES && cursor !== null && list.size < enough; pages += 1) {
      const page = await listRequests({ ...query, cursor }, controller.signal);
      if (controller.signal.aborted) return true;
      cursor = page.next;
      list.append(page.interactions);
    }
    list.select(openRequest);
    count.textContent = countOf(list.size);
    next.hidden = cursor === null;
  } catch (error) {
    if (controller.signal.aborted) return true;
    if (lockIfUnauthorized(error)) return false;
    count.textContent = '';
    next.hidden = true;
    listProblem.replaceChildren(renderProblem(error, loadAgain), hintOn(error));
  }
  next.disabled = false;
  return true;
}

function loadAgain(): void {
  void load(cursor ?? '');
  void record.show();
}

function countOf(size: number): string {
  if (size === 0 && cursor === null) return reset.hidden ? texts.none : texts.noneFound;
  if (cursor === null) return texts.countAll(size);
  return query['text'] === '' ? texts.countSome(number(size)) : texts.countFound(number(size));
}

function hintOn(error: unknown): HTMLElement | '' {
  const disabled = error instanceof ServiceError && error.problem.code === 'AUDIT_DISABLED';
  return disabled ? el('p.hint', texts.auditDisabled) : '';
}

function applyFilters(): void {
  clearFaults(filters);
  const { from, to } = fields;
  for (const day of [from, to]) if (!day.validity.valid) showFault(day, texts.dateWrong);
  if (from.value !== '' && to.value !== '' && to.value < from.value) showFault(to, texts.orderWrong);
  if (filters.querySelector('[aria-invalid]') !== null) return;
  history.replaceState(null, '', fragmentOf({ ...readFilters(), request: openRequest }));
  void loadFirst();
}

filters.addEventListener('submit', (event) => {
  event.preventDefault();
  applyFilters();
});
filters.addEventListener('change', (event) => {
  if (event.target !== text) applyFilters();
});
// Fires when the cross of the search field is clicked.
text.addEventListener('search', () => {
  if (text.value === '') applyFilters();
});
next.addEventListener('click', () => void loadNext());
reset.addEventListener('click', () => {
  for (const field of [text, ...Object.values(fields)]) field.value = '';
  applyFilters();
  text.focus();
});
/** The first new entry gets the focus, because the button has moved. */
async function loadNext(): Promise<void> {
  const first = list.size;
  await load(cursor ?? '');
  if (list.size > first) list.focusAt(first);
}

/* One request */

/** Applies the page's address: new filters, and the open request. */
async function followAddress(): Promise<void> {
  const { request, ...wanted } = readView();
  const differs = FILTERS.some((name) => fields[name].value !== wanted[name]);
  for (const name of FILTERS) fields[name].value = wanted[name];
  if (differs) void loadFirst();
  if (request === openRequest) return;
  const before = openRequest;
  openRequest = request;
  list.select(request);
  document.body.dataset.view = request === '' ? 'list' : 'detail';
  if (request !== '') return showDetail(request);
  showing.abort();
  detail.replaceChildren(nothingOpen());
  list.focus(before);
}

/** Shows a request. `announcement` is read aloud and says what has just been done to the request. */
async function showDetail(request: string, announcement: string | null = null): Promise<void> {
  showing.abort();
  const controller = new AbortController();
  showing = controller;
  const show = (...nodes: (HTMLElement | null)[]) => {
    const said = announcement === null ? null : say(announcement);
    detail.replaceChildren(...[renderBack(), said, ...nodes].filter((node) => node !== null));
  };
  show(el('p.hint', { role: 'status' }, texts.loading));
  const found = await showRequest(request, controller.signal).catch((error: unknown) => {
    if (controller.signal.aborted || lockIfUnauthorized(error)) return null;
    show(renderProblem(error, () => void showDetail(request, announcement)));
    return null;
  });
  if (found === null || controller.signal.aborted) return;
  show(...renderDetail(found, () => erase(request)));
  find('#request-title').focus({ preventScroll: true });
  const { top } = detail.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) detail.scrollIntoView({ block: 'start' });
}

/** Removes the erased text from the page, then reads the request again. */
function erase(request: string): void {
  askToErase(request, {
    onProblem: lockIfUnauthorized,
    onErased: ({ erased_at, repeated }) => {
      list.forget(request, erased_at);
      void showDetail(request, repeated ? texts.erasedBefore : texts.erased);
      void record.show();
    },
  });
}

/** A link back to the list with its present filter, which may have changed since the page was opened. */
function renderBack(): HTMLElement {
  const link = el('a', { href: '#' }, '← ', texts.back);
  link.addEventListener('click', () => (link.href = fragmentOf(readFilters())));
  return el('p.back', link);
}

const nothingOpen = (): HTMLElement => el('p.hint', texts.choose);
const say = (words: string): HTMLElement => el('p.notice', { role: 'status' }, words);

addEventListener('hashchange', () => {
  if (!inside.hidden) void followAddress();
});
find('#skip').addEventListener('click', (event) => {
  event.preventDefault();
  (inside.hidden ? keyField : find('#list')).focus();
});

translatePage();
const { request: _, ...wanted } = readView();
for (const name of FILTERS) fields[name].value = wanted[name];
detail.append(nothingOpen());
void enter();
