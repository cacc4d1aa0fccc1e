import { post, ServiceError } from './api.js';
import { allow, learnFrom } from './command.js';
import { amount, count, price, words } from './format.js';
import { chooseTicker } from './history.js';
import { lastPrice, state, view } from './state.js';
import { setText } from './table.js';
import { explain, isRefusal } from './words.js';

/** Which prices an order of each type has; what `price` means there. */
const PRICES = { market: [], limit: ['price'], stop: ['price'], stop_limit: ['stop_price', 'price'] };
/** Codes that speak of one field. */
const FIELD_OF = {
  PRICE_REQUIRED: 'price',
  QUANTITY_STEP: 'quantity',
  INSUFFICIENT_FUNDS: 'quantity',
  SHORT_NOT_ALLOWED: 'quantity',
  MARKET_DATA_MISSING: 'ticker',
};

const form = document.querySelector('#order-form');
const submit = document.querySelector('#submit');
const result = document.querySelector('#order-result');
const fields = form.elements;

/**
 * The order whose outcome is not known yet, with the id it was sent under: sent again unchanged, it goes under the same
 * id, so that a second press or a retry after a lost connection is the same order.
 */
let intent = null;
let sending = false;
/** Whether anything was entered since the last order: a double click after a quick answer is no new order. */
let touched = true;

export function showTicket() {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  form.addEventListener('input', () => {
    touched = true;
    describe();
  });
  fields.ticker.addEventListener('change', () => {
    const ticker = tickerOf();
    if (state.tickers?.all.includes(ticker)) chooseTicker(ticker);
  });
  view(['ticker'], ({ ticker }) => {
    if (ticker !== '' && tickerOf() !== ticker) fields.ticker.value = ticker;
    describe();
  });
  view(['status', 'prices', 'readOnly'], describe);
  view(['orders'], settle);
}

const tickerOf = () => fields.ticker.value.trim().toUpperCase();

/** What pressing the button would do, in its own words. */
function describe() {
  const type = fields.type.value;
  for (const name of ['price', 'stop_price']) {
    form.querySelector(`[data-field=${name}]`).hidden = !PRICES[type].includes(name);
  }
  setText(document.querySelector('#price-label'), type === 'stop' ? 'Stop price' : 'Limit price');
  const action = fields.action.value;
  const ticker = tickerOf();
  const quantity = numberIn(fields.quantity.value);
  form.dataset.action = action;
  setText(
    submit,
    [action === 'buy' ? 'Buy' : 'Sell', quantity > 0 ? count(quantity) : '', ticker]
      .filter(Boolean)
      .join(' '),
  );
  allow(submit, true);

  const each = type === 'market' ? lastPrice(ticker) : numberIn(fields.price.value);
  setText(
    document.querySelector('#estimate'),
    amount(each === null || quantity === null ? null : each * quantity),
  );
  setText(document.querySelector('#estimate-cash'), amount(state.status?.cash));
  setText(document.querySelector('#estimate-held'), count(state.status?.positions[ticker]?.quantity ?? 0));
}

async function send() {
  if (sending || !touched) return;
  if (submit.ariaDisabled === 'true') {
    say(`Not submitted: ${submit.title}.`, 'bad');
    return;
  }
  clearFaults();
  const order = entered();
  const faults = faultsIn(order);
  if (faults.length > 0) {
    mark(faults);
    return;
  }
  const body = JSON.stringify(order);
  if (intent?.body !== body) intent = { body, id: newId(), words: wordsOf(order) };
  const sent = intent;
  sending = true;
  submit.ariaBusy = 'true';
  say('Sending…');
  try {
    await post('/api/trading/order', { ...order, client_order_id: sent.id });
    succeed(sent);
  } catch (error) {
    await learnFrom(error);
    fail(error, sent);
  } finally {
    sending = false;
    submit.ariaBusy = 'false';
    settle(state);
  }
}

/** Also where the page came without encryption, and `randomUUID` is not there. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function succeed({ body, id, words: what }) {
  if (intent?.id !== id) return;
  intent = null;
  say(`Submitted: ${what}.`, 'good');
  // What was entered since is the next order.
  if (JSON.stringify(entered()) !== body) return;
  touched = false;
  fields.quantity.value = '';
  describe();
}

function fail(error, { words: what }) {
  if (isRefusal(error)) {
    intent = null;
    if (!showFaults(error)) say(`Not submitted: ${explain(error)}`, 'bad');
    return;
  }
  // The service may have it: nothing is pretended, and pressing again cannot double it.
  say(
    `${explain(error)} Whether “${what}” was placed is not known. Pressing again is safe: it stays one order.`,
    'bad',
  );
}

/** The list of orders says what became of an order whose answer was lost. */
function settle({ orders }) {
  if (intent === null || sending) return;
  const { id } = intent;
  for (const order of orders.values()) if (order.client_order_id === id) succeed(intent);
}

/** The order as the service takes it; `null` for what is no number. */
function entered() {
  const type = fields.type.value;
  const prices = PRICES[type].map((name) => [name, numberIn(fields[name].value)]);
  return {
    ticker: tickerOf(),
    action: fields.action.value,
    quantity: numberIn(fields.quantity.value),
    type,
    time_in_force: fields.time_in_force.value,
    ...Object.fromEntries(prices),
  };
}

function faultsIn(order) {
  const faults = order.ticker === '' ? [{ path: 'ticker', message: 'Which ticker?' }] : [];
  for (const path of ['quantity', ...PRICES[order.type]]) {
    const empty = fields[path].value.trim() === '';
    if (order[path] === null) faults.push({ path, message: empty ? 'Needed' : 'Not a number' });
    else if (order[path] <= 0) faults.push({ path, message: 'Must be greater than 0' });
  }
  return faults;
}

/** `1,000.50` as it is written in English; `null` for what is no number. */
function numberIn(text) {
  const plain = text.trim();
  if (!/^(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?$/.test(plain) || !/\d/.test(plain)) return null;
  return Number(plain.replaceAll(',', ''));
}

function wordsOf(order) {
  const prices = PRICES[order.type].map((name) => price(order[name])).join(' / ');
  const at = prices === '' ? '' : ` ${prices}`;
  return `${order.action} ${count(order.quantity)} ${order.ticker}, ${words(order.type)}${at}, ${order.time_in_force}`;
}

/** The service's complaints beside their fields; false where none of them has one. */
function showFaults(error) {
  if (!(error instanceof ServiceError)) return false;
  const { code, errors = [] } = error.problem;
  const named = errors.map(({ path, message }) => ({ path: path.split('.').at(-1), message }));
  if (FIELD_OF[code] !== undefined) named.push({ path: FIELD_OF[code], message: explain(error) });
  const known = named.filter(({ path }) => document.querySelector(`#${CSS.escape(path)}-error`) !== null);
  if (known.length === 0) return false;
  mark(known);
  return known.length === named.length;
}

function mark(faults) {
  for (const { path, message } of faults) {
    setText(document.querySelector(`#${CSS.escape(path)}-error`), message);
    const field = fields[path];
    if (field instanceof HTMLElement) field.ariaInvalid = 'true';
  }
  const first = [...fields].find((field) => faults.some(({ path }) => path === field.name));
  first?.focus();
  say('Not submitted: see the marked fields.', 'bad');
}

function clearFaults() {
  for (const fault of form.querySelectorAll('.fault')) setText(fault, '');
  for (const field of fields) field.ariaInvalid = null;
}

function say(text, tone = '') {
  result.dataset.tone = tone;
  setText(result, text);
}
