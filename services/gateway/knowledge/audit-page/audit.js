import { el } from '../page/dom.js';
import { clearFaults, goToFault, showFault } from '../page/faults.js';
import { ServiceError } from '../page/http.js';
import { renderProblem } from '../page/problem.js';
import { renderDetail } from './detail.js';
import { askToErase } from './erase.js';
import { number } from './format.js';
import { createList } from './list.js';
import { fragmentOf, readPlace, startOf } from './place.js';
import { createRecord } from './record.js';
import { keyIsGiven, listRequests, setKey, showRequest } from './service.js';
import { texts, translate } from './texts.js';

const PAGE_SIZE = 50;
/** Pages that are asked for in a row where few or none of a page have what is looked for. */
const MOST_PAGES = 20;
const FILTERS = ['status', 'rating', 'from', 'to'];

const at = (id) => document.querySelector(`#${id}`);
const fields = Object.fromEntries(FILTERS.map((name) => [name, at(name)]));
const [unlock, keyField, inside, leave, opening] = ['unlock', 'key', 'inside', 'leave', 'opening'].map(at);
const [filters, text, count, reset, next] = ['filters', 'text', 'count', 'reset', 'next'].map(at);
const [detail, listProblem] = ['detail', 'list-problem'].map(at);

const list = createList(at('list'), (request) => fragmentOf({ ...readFilters(), request }));
const record = createRecord(at('record'), isLockedOut);

/** What the list shows, and where it goes on; `null` at its end. */
let query = {};
let cursor = null;
let listing = new AbortController();
let showing = new AbortController();
let open = '';

/* Getting in and out */

/** Without a key first: on a machine of its own the service asks for none. */
async function enter() {
  opening.textContent = texts.opening;
  if (await loadFirst()) {
    opening.textContent = '';
    unlock.hidden = true;
    inside.hidden = false;
    leave.hidden = !keyIsGiven();
    void record.show();
    void showPlace();
  }
}

/** True for an error that the key is to blame for: then nothing is shown any more until there is another. */
function isLockedOut(error) {
  if (!(error instanceof ServiceError) || error.problem.code !== 'UNAUTHORIZED') return false;
  const { title, detail } = error.problem;
  const wrong = keyIsGiven();
  lock();
  // What it adds to its title is that no key would do.
  if (detail !== title) showFault(keyField, texts.keyNotSet);
  else if (wrong) showFault(keyField, texts.keyWrong);
  return true;
}

function lock() {
  forgetAll();
  unlock.hidden = false;
  keyField.focus();
}

function forgetAll() {
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
  open = '';
}

unlock.addEventListener('submit', (event) => {
  event.preventDefault();
  clearFaults(unlock);
  const given = keyField.value.trim();
  // No header can hold another character than these.
  if (!/^[\x21-\x7e]+$/.test(given)) {
    showFault(keyField, given === '' ? texts.keyMissing : texts.keyWrong);
    return goToFault(unlock);
  }
  setKey(given);
  keyField.value = '';
  void enter();
});
leave.addEventListener('click', lock);
// A page that is kept to be gone back to would keep what it shows.
addEventListener('pagehide', (event) => {
  if (event.persisted) lock();
});

/* The list */

const readFilters = () => Object.fromEntries(FILTERS.map((name) => [name, fields[name].value]));

/** The first page for these filters; true where there is something to show, be it an error. */
async function loadFirst() {
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

/** A page from here on. One may be short, or empty, and not the last: then what follows is added. */
async function load(from) {
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
    list.select(open);
    count.textContent = countOf(list.size);
    next.hidden = cursor === null;
  } catch (error) {
    if (controller.signal.aborted) return true;
    if (isLockedOut(error)) return false;
    count.textContent = '';
    next.hidden = true;
    listProblem.replaceChildren(renderProblem(error, loadAgain), hintOn(error));
  }
  next.disabled = false;
  return true;
}

function loadAgain() {
  void load(cursor);
  void record.show();
}

function countOf(size) {
  if (size === 0 && cursor === null) return reset.hidden ? texts.none : texts.noneFound;
  if (cursor === null) return texts.countAll(size);
  return query.text === '' ? texts.countSome(number(size)) : texts.countFound(number(size));
}

function hintOn(error) {
  const disabled = error instanceof ServiceError && error.problem.code === 'AUDIT_DISABLED';
  return disabled ? el('p', { className: 'hint' }, texts.auditDisabled) : '';
}

function applyFilters() {
  clearFaults(filters);
  const { from, to } = fields;
  for (const day of [from, to]) if (!day.validity.valid) showFault(day, texts.dateWrong);
  if (from.value !== '' && to.value !== '' && to.value < from.value) showFault(to, texts.orderWrong);
  if (filters.querySelector('[aria-invalid]') !== null) return;
  history.replaceState(null, '', fragmentOf({ ...readFilters(), request: open }));
  void loadFirst();
}

filters.addEventListener('submit', (event) => {
  event.preventDefault();
  applyFilters();
});
filters.addEventListener('change', (event) => {
  if (event.target !== text) applyFilters();
});
// The cross of a search field.
text.addEventListener('search', () => text.value === '' && applyFilters());
next.addEventListener('click', () => void loadNext());
reset.addEventListener('click', () => {
  for (const field of [text, ...Object.values(fields)]) field.value = '';
  applyFilters();
  text.focus();
});
/** What is new has the focus, where the button was. */
async function loadNext() {
  const first = list.size;
  await load(cursor);
  if (list.size > first) list.focusAt(first);
}

/* One request */

/** What the address says: filters that differ from those shown, and the request that is open. */
async function showPlace() {
  const { request, ...wanted } = readPlace();
  const differs = FILTERS.some((name) => fields[name].value !== wanted[name]);
  for (const name of FILTERS) fields[name].value = wanted[name];
  if (differs) void loadFirst();
  if (request === open) return;
  const before = open;
  open = request;
  list.select(request);
  document.body.dataset.view = request === '' ? 'list' : 'detail';
  if (request !== '') return showDetail(request);
  showing.abort();
  detail.replaceChildren(nothingOpen());
  list.focus(before);
}

/** `announcement`: what has just been done to it. */
async function showDetail(request, announcement = null) {
  showing.abort();
  const controller = new AbortController();
  showing = controller;
  const show = (...nodes) => {
    const said = announcement === null ? null : say(announcement);
    detail.replaceChildren(...[renderBack(), said, ...nodes].filter((node) => node !== null));
  };
  show(el('p', { className: 'hint', attributes: { role: 'status' } }, texts.loading));
  const found = await showRequest(request, controller.signal).catch((error) => {
    if (controller.signal.aborted || isLockedOut(error)) return;
    show(renderProblem(error, () => void showDetail(request, announcement)));
  });
  if (found === undefined || controller.signal.aborted) return;
  show(...renderDetail(found, () => erase(request)));
  at('request-title').focus({ preventScroll: true });
  const { top } = detail.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) detail.scrollIntoView({ block: 'start' });
}

/** Once it is done: first what is shown goes, then what the service says is left is read. */
function erase(request) {
  askToErase(request, {
    onProblem: isLockedOut,
    onErased: ({ erased_at, repeated }) => {
      list.forget(request, erased_at);
      void showDetail(request, repeated ? texts.erasedBefore : texts.erased);
      void record.show();
    },
  });
}

/** To the list as it is filtered when one goes, not as it was when one came. */
function renderBack() {
  const link = el('a', { href: '#' }, '← ', texts.back);
  link.addEventListener('click', () => (link.href = fragmentOf(readFilters())));
  return el('p', { className: 'back' }, link);
}

const nothingOpen = () => el('p', { className: 'hint' }, texts.choose);
const say = (words) => el('p', { className: 'notice', attributes: { role: 'status' } }, words);

addEventListener('hashchange', () => {
  if (!inside.hidden) void showPlace();
});
at('skip').addEventListener('click', (event) => {
  event.preventDefault();
  (inside.hidden ? keyField : at('list')).focus();
});

translate();
for (const [name, value] of Object.entries(readPlace())) if (name in fields) fields[name].value = value;
detail.append(nothingOpen());
void enter();
