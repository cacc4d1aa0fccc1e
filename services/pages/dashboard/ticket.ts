import { find } from '../dom.ts';
import { clearFaults, goToFault, showFault } from '../faults.ts';
import type { Fault, ServiceError } from '../http.ts';
import { post } from './api.ts';
import { allow, learnFrom, notLive } from './send-command.ts';
import { amount, count, price, words } from './format.ts';
import { chooseTicker } from './history.ts';
import { state, view, type Order, type State } from './state.ts';
import { setText } from './table.ts';
import { explain, isRefusal } from './explain-error.ts';

/** For each type of order, its fields for prices and the label of `price`. */
const PRICES: Readonly<Record<Order['type'], readonly ('price' | 'stop_price')[]>> = {
  market: [],
  limit: ['price'],
  stop: ['price'],
  stop_limit: ['stop_price', 'price'],
};
/** Error codes that belong to one field. */
const FIELD_OF: Readonly<Record<string, keyof typeof fields>> = {
  PRICE_REQUIRED: 'price',
  QUANTITY_STEP: 'quantity',
  INSUFFICIENT_FUNDS: 'quantity',
  SHORT_NOT_ALLOWED: 'quantity',
  MARKET_DATA_MISSING: 'ticker',
};

const form = find('#order-form');
const submit = find('#submit', HTMLButtonElement);
const result = find('#order-result');
/** The fields of the form. */
const fields = {
  ticker: find('#order-ticker', HTMLInputElement),
  quantity: find('#quantity', HTMLInputElement),
  type: find('#type', HTMLSelectElement),
  stop_price: find('#stop-price', HTMLInputElement),
  price: find('#limit-price', HTMLInputElement),
  time_in_force: find('#time-in-force', HTMLSelectElement),
};
const selling = find('[name=action][value=sell]', HTMLInputElement);

/** The entered order; a price or quantity that is no number is `null`. */
type Entered = Pick<Order, 'ticker' | 'action' | 'type' | 'time_in_force'> &
  Partial<Record<'quantity' | 'price' | 'stop_price', number | null>>;

interface Intent {
  readonly body: string;
  readonly id: string;
  readonly words: string;
}

/**
 * The order whose outcome is unknown, with its id. If it is sent again unchanged, it has the same id, so a second press
 * or a retry after a lost connection is the same order.
 */
let intent: Intent | null = null;
let sending = false;
/** Whether anything was entered since the last order: the second of a double click is no new order. */
let touched = true;

export function showTicket(): void {
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
  let chosen = '';
  view(['ticker'], ({ ticker }) => {
    // Text that the user is typing is kept when the list is read again, or when the page makes the first choice by
    // itself.
    const isOwnChoice = chosen === '' && tickerOf() !== '';
    if (ticker !== chosen && !isOwnChoice) fields.ticker.value = ticker;
    chosen = ticker;
    describe();
  });
  view(['status', 'prices', 'tickers', 'readOnly', 'connection'], describe);
  view(['orders'], settle);
}

const tickerOf = (): string => fields.ticker.value.trim().toUpperCase();
const typeOf = () => fields.type.value as Order['type'];
const actionOf = () => (selling.checked ? 'sell' : 'buy');

/** Describes what the button will do. */
function describe(): void {
  const type = typeOf();
  for (const name of ['price', 'stop_price'] as const) {
    find(`[data-field=${name}]`, undefined, form).hidden = !PRICES[type].includes(name);
  }
  setText(find('#price-label'), type === 'stop' ? 'Stop price' : 'Limit price');
  const action = actionOf();
  const ticker = tickerOf();
  const quantity = numberIn(fields.quantity.value);
  form.dataset.action = action;
  setText(
    submit,
    [action === 'buy' ? 'Buy' : 'Sell', quantity === null || quantity === 0 ? '' : count(quantity), ticker]
      .filter(Boolean)
      .join(' '),
  );
  const isIndex = ticker !== '' && ticker === state.tickers?.index;
  const refusal = notLive() || (isIndex ? 'An index cannot be traded' : '');
  allow(submit, refusal === '', refusal);

  const last = state.prices.get(ticker)?.close ?? null;
  const each = isIndex ? null : type === 'market' ? last : numberIn(fields.price.value);
  setText(find('#estimate'), amount(each === null || quantity === null ? null : each * quantity));
  setText(find('#estimate-cash'), amount(state.status?.cash));
  setText(find('#estimate-held'), count(state.status?.positions[ticker]?.quantity ?? 0));
}

async function send(): Promise<void> {
  if (sending || !touched) return;
  if (submit.ariaDisabled === 'true') {
    say(`Not submitted: ${submit.title}.`, 'loss');
    return;
  }
  clearFaults(form);
  const order = entered();
  const faults = faultsIn(order);
  if (faults.length > 0) {
    mark(faults);
    return;
  }
  const body = JSON.stringify(order);
  const sent = intent?.body === body ? intent : { body, id: newId(), words: wordsOf(order) };
  intent = sent;
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

/** A new id. `randomUUID` does not exist on a page without TLS. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function succeed({ body, id, words: what }: Intent): void {
  if (intent?.id !== id) return;
  intent = null;
  say(`Submitted: ${what}.`, 'gain');
  // Fields that were changed meanwhile are kept for the next order.
  if (JSON.stringify(entered()) !== body) return;
  touched = false;
  fields.quantity.value = '';
  describe();
}

function fail(error: unknown, { words: what }: Intent): void {
  if (isRefusal(error)) {
    intent = null;
    if (!showFaults(error)) say(`Not submitted: ${explain(error)}`, 'loss');
    return;
  }
  // The service may have received the order, so the page says so. Pressing again cannot place it twice.
  say(
    `${explain(error)} It is not known whether “${what}” was placed. You can press again safely: it is only placed once.`,
    'loss',
  );
}

/** Ends the attempt of an order whose answer was lost, once the list of orders shows the order. */
function settle({ orders }: State): void {
  if (intent === null || sending) return;
  const { id } = intent;
  for (const order of orders.values()) if (order.client_order_id === id) succeed(intent);
}

function entered(): Entered {
  const type = typeOf();
  const prices = PRICES[type].map((name) => [name, numberIn(fields[name].value)] as const);
  return {
    ticker: tickerOf(),
    action: actionOf(),
    quantity: numberIn(fields.quantity.value),
    type,
    time_in_force: fields.time_in_force.value as Order['time_in_force'],
    ...Object.fromEntries(prices),
  };
}

function faultsIn(order: Entered): Fault[] {
  const faults: Fault[] = order.ticker === '' ? [{ path: 'ticker', message: 'Enter a ticker' }] : [];
  for (const path of ['quantity', ...PRICES[order.type]] as const) {
    const text = fields[path].value.trim();
    const value = order[path] ?? null;
    if (AMBIGUOUS.test(text)) faults.push({ path, message: bothWays(text) });
    else if (value === null) faults.push({ path, message: text === '' ? 'Needed' : 'Not a number' });
    else if (value <= 0) faults.push({ path, message: 'Must be greater than 0' });
  }
  return faults;
}

/**
 * Matches a number like `1.000`: it is a thousand if the point separates thousands, and one if the point begins the
 * decimals.
 */
const AMBIGUOUS = /^[1-9]\d{0,2}\.\d{3}$/;

const bothWays = (text: string): string =>
  `Write ${text.replace('.', '')} or ${Number(text)}: ${text} can mean both`;

/** Parses a number in English notation (`1,000.50`); `null` if it is invalid or ambiguous. */
function numberIn(text: string): number | null {
  const plain = text.trim();
  if (AMBIGUOUS.test(plain)) return null;
  if (!/^(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?$/.test(plain) || !/\d/.test(plain)) return null;
  return Number(plain.replaceAll(',', ''));
}

function wordsOf(order: Entered): string {
  const prices = PRICES[order.type].map((name) => price(order[name])).join(' / ');
  const at = prices === '' ? '' : ` ${prices}`;
  return `${order.action} ${count(order.quantity)} ${order.ticker}, ${words(order.type)}${at}, ${order.time_in_force}`;
}

/** Shows the service's errors at their fields; false if one of them belongs to no field. */
function showFaults(error: ServiceError): boolean {
  const { code, errors = [] } = error.problem;
  const named: Fault[] = errors.map(({ path, message }) => ({ path: path.split('.').at(-1)!, message }));
  const field = FIELD_OF[code];
  if (field !== undefined) named.push({ path: field, message: explain(error) });
  const known = named.filter(({ path }) => path in fields);
  if (known.length > 0) mark(known);
  return known.length > 0 && known.length === named.length;
}

function mark(faults: readonly Fault[]): void {
  for (const { path, message } of faults) showFault(fields[path as keyof typeof fields], message);
  goToFault(form);
  say('Not submitted: see the marked fields.', 'loss');
}

function say(text: string, tone = ''): void {
  result.className = `result ${tone}`;
  setText(result, text);
}
