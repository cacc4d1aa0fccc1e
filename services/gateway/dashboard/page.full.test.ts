import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  MarketUpdateFinished,
  MarketUpdateStarted,
  TickerUpdateFailed,
} from '../../../events/catalog/market.ts';
import { OrderRejected, SessionClosed, TradingHalted } from '../../../events/catalog/trading.ts';
import { BelegError } from '../../../events/errors.ts';
import type { OrderView } from '../../../events/messages/trading.ts';
import { PATIENT } from '../../../events/patient.suite.ts';
import { FILLED, PERFORMANCE, PIPELINE, TICKERS, TRADING_STATUS } from './dashboard-examples.ts';
import type { TradingScript } from './fake-trading.suite.ts';
import { browserIsThere, focused } from '../browser.suite.ts';
import { said, tryNow, usePages } from './page.suite.ts';

const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const NEXT = '2025-06-16';

const rowOf = (page: Page, table: string, text: string) =>
  page.locator(`#${table}-table tbody tr`, { hasText: text }).first();

describe.skipIf(!browserIsThere)('the dashboard in a browser', () => {
  const pages = usePages();

  const asked = (name: keyof TradingScript) => pages.fakes.asked.filter((call) => call.name === name);
  const submitted = () =>
    pages.fakes.account.orders.filter(({ client_order_id }) => client_order_id !== null);

  /** Closes the session with this value of the account. */
  async function closeSession(session: string, total: number): Promise<void> {
    pages.fakes.account.status = { ...pages.fakes.account.status, session, total_value: total };
    await pages.fakes.publish(SessionClosed, { session, closes: {}, cash: '1', total_value: String(total) });
  }

  async function push(order: OrderView): Promise<void> {
    const { order_id, ticker } = order;
    await pages.fakes.publish(OrderRejected, { order_id, ticker, reason: 'see the order', cursor: null });
  }

  test('shows the account, the market, positions and orders, and breaks no policy', async () => {
    const requests: string[] = [];
    const page = await pages.open({
      prepare: async (page) => void page.on('request', (r) => requests.push(r.url())),
    });
    await page.locator('#tickers label', { hasText: 'SPY' }).getByText('%').waitFor();
    await page.waitForSelector('#price-chart[data-filled=true]');
    expect(await page.textContent('#total-value')).toBe('$100,412.50');
    expect(await page.textContent('#cash')).toBe('81,254.50');
    expect(await page.textContent('#unrealized')).toBe('+412.50');
    expect(await page.textContent('#engine-state')).toBe('Running');
    expect(await page.textContent('#session')).toBe('Jun 13, 2025');
    expect(await page.textContent('#strategy')).toBe('crossover');
    expect(await page.isVisible('#synthetic')).toBe(true);
    expect(await page.textContent('#equity-readout')).toContain('Jun 13, 2025  Value 100,412.50');
    expect(await rowOf(page, 'positions', 'AAPL').innerText()).toMatch(/100\s+187.46\s+191.58\s+19,158.00/);
    expect(await page.locator('#orders-table tbody th').allInnerTexts()).toEqual(['MSFT', 'AAPL']);
    expect(await page.textContent('#model-state')).toBe('loaded');
    expect(await page.textContent('#log-lines')).toContain('Dashboard of Beleg');
    expect(requests.every((request) => request.startsWith(pages.url) || request.startsWith('data:'))).toBe(
      true,
    );
    expect(pages.complaints).toEqual([]);

    const library = new URL(requests.find((request) => request.endsWith('.esm.js'))!).pathname;
    expect(library).toMatch(/^\/pages\/uplot-\d+\.\d+\.\d+\//);
    const { headers } = await pages.app.inject({ url: library });
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['content-security-policy']).not.toContain('unsafe');
  });

  test('works in a browser that blocks what sites store', async () => {
    const block =
      'Object.defineProperty(window, "sessionStorage", { get() { throw new DOMException("denied", "SecurityError"); } })';
    const page = await pages.open({ prepare: async (page) => void (await page.addInitScript(block)) });
    expect(await page.textContent('#total-value')).toBe('$100,412.50');
    expect(pages.complaints).toEqual([]);
  });

  test('has a page of its contract that is dark where the browser is', async () => {
    const page = await pages.open({ colorScheme: 'dark' });
    await page.goto(`${pages.url}/docs`);
    await page.waitForSelector('html.dark-mode .opblock');
    const light = 'getComputedStyle(document.querySelector(".info .title")).color';
    expect(await page.evaluate(light)).not.toBe('rgb(59, 65, 81)');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.waitForSelector('html:not(.dark-mode)');
    expect(pages.complaints).toEqual([]);
  });

  test('moves with the messages: a session, an order, a line of the log', async () => {
    const page = await pages.open({
      script: {
        sessionOn: ({ date }) => ({
          session: {
            date,
            bars: { AAPL: { open: 90, high: 99, low: 89, close: 95.5, volume: 1_000 } },
            splits: {},
            dividends: {},
          },
        }),
      },
    });
    await page.waitForSelector('#price-chart[data-filled=true]');
    await page.evaluate(
      "new PerformanceObserver((list) => (window.shifts ??= []).push(...list.getEntries())).observe({ type: 'layout-shift' })",
    );
    await closeSession(NEXT, 101_000);
    await page.getByText('$101,000.00').waitFor();
    await page.locator('#session', { hasText: 'Jun 16, 2025' }).waitFor();
    await page.locator('#equity-readout', { hasText: 'Jun 16, 2025  Value 101,000.00' }).waitFor();
    await page.locator('#price-readout', { hasText: 'C 95.50' }).waitFor();
    await page.locator('#tickers label', { hasText: 'AAPL' }).getByText('95.50').waitFor();

    const [, working] = pages.fakes.account.orders;
    pages.fakes.account.orders[1] = { ...working!, status: 'rejected', reject_reason: HOSTILE };
    await push(pages.fakes.account.orders[1]);
    await rowOf(page, 'orders', 'MSFT').getByText('rejected').waitFor();
    expect(await rowOf(page, 'orders', 'MSFT').getByText('Cancel').isVisible()).toBe(false);
    const shifted = await page.evaluate('(window.shifts ?? []).reduce((sum, { value }) => sum + value, 0)');
    expect(shifted).toBeLessThan(0.001);

    const { positions } = pages.fakes.account.status;
    const mixed = { strategy_quantity: 60, stale: true, price_session: '2025-06-10' };
    positions['AAPL'] = { ...positions['AAPL']!, ...mixed };
    await closeSession('2025-06-17', 101_000);
    await rowOf(page, 'positions', 'AAPL').getByText('strategy 60, you 40').waitFor();
    await rowOf(page, 'positions', 'AAPL').getByText('191.58 of Jun 10, 2025', { exact: true }).waitFor();
    expect(pages.complaints).toEqual([]);
  });

  test('shows what the account came to, with a key for reading too, and reads it again after a session', async () => {
    const page = await pages.open({
      settings: { apiKeys: ['the-trade-key'], readKeys: ['the-read-key'] },
      prepare: async (page) => {
        await page.clock.install();
        await page.addInitScript("sessionStorage.setItem('beleg.trading.key', 'the-read-key')");
      },
    });
    const period = page.locator('#performance-period');
    await period.getByText('Jun 13, 2024 to Jun 13, 2025, 252 sessions').waitFor();
    const shown = await page.locator('#performance-figures > div:visible').allInnerTexts();
    expect(shown.map((text) => text.split(/\s*\n\s*/))).toEqual([
      ['Return, time-weighted', '+8.41%'],
      ['Return a year', '+8.42%'],
      ['Maximum drawdown', '-6.55%'],
      ['Volatility a year', '11.3%'],
      ['Sharpe ratio', '0.77'],
      ['Sortino ratio', '1.10'],
      ['Exposure, mean', '61.0%'],
      ['Turnover a year', '240.0%'],
      ['Closed trades', '1'],
      ['Won', '100.0%'],
      ['Profit factor', '–'],
      ['Fees', '96.00'],
      ['Slippage', '212.40'],
      ['Borrowing', '0.00'],
    ]);

    pages.fakes.script.performance = () => ({
      ...PERFORMANCE,
      to: NEXT,
      sessions: 253,
      flows: { deposited: 5_000, withdrawn: 0 },
      moneyWeighted: { annual: null, total: 0.0712 },
    });
    await closeSession(NEXT, 101_000);
    await page.locator('#session', { hasText: 'Jun 16, 2025' }).waitFor();
    await page.clock.fastForward(30_000);
    await period.getByText('Jun 13, 2024 to Jun 16, 2025, 253 sessions').waitFor();
    expect(await page.textContent('#money-weighted')).toBe('+7.12%');
    expect(await page.textContent('#cash-flows')).toBe('5,000.00, 0.00');
    expect(await page.isVisible('#money-weighted')).toBe(true);

    // What cannot be read keeps its figures, and is read again.
    let refused = 0;
    pages.fakes.script.performance = () => {
      refused += 1;
      throw new BelegError('STORE_UNAVAILABLE');
    };
    await closeSession('2025-06-17', 101_000);
    await page.locator('#session', { hasText: 'Jun 17, 2025' }).waitFor();
    await page.clock.fastForward(30_000);
    await expect.poll(() => refused, PATIENT).toBeGreaterThan(0);
    pages.fakes.script.performance = () => ({ ...PERFORMANCE, to: '2025-06-17', sessions: 254 });
    await expect
      .poll(async () => {
        await page.clock.fastForward(30_000);
        return period.textContent();
      }, PATIENT)
      .toBe('Jun 13, 2024 to Jun 17, 2025, 254 sessions');
    expect(await page.isVisible('#money-weighted')).toBe(false);
    expect(pages.fakes.asked.find(({ name }) => name === 'performance')!.request).toMatchObject({
      benchmark: 'none',
    });
  });

  test('says of an account in which no session has closed that there are no figures yet', async () => {
    const page = await pages.open({
      script: { performance: () => ({ ...PERFORMANCE, from: null, to: null, sessions: 0 }) },
    });
    await page.locator('#performance').getByText('No session has closed yet.').waitFor();
    expect(await page.isVisible('#performance-figures')).toBe(false);
  });

  test('places an order by keyboard alone, at a price, and says so', async () => {
    const page = await pages.open();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the order form');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('order-ticker');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('msft');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    await page.keyboard.type('1,000');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('type');
    await page.keyboard.press('s');
    await page.keyboard.press('s');
    expect(await page.inputValue('#type')).toBe('stop_limit');
    await page.keyboard.press('Tab');
    await page.keyboard.type('390');
    await page.keyboard.press('Tab');
    await page.keyboard.type('389.5');
    await page.keyboard.press('Tab');
    await page.keyboard.press('u');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('submit');
    expect(await page.textContent('#submit')).toBe('Sell 1,000 MSFT');
    await page.keyboard.press('Enter');
    await page
      .getByText('Submitted: sell 1,000 MSFT, stop limit 390.00 / 389.50, gtc.')
      .waitFor({ state: 'visible' });
    expect(pages.fakes.account.orders.at(-1)).toMatchObject({
      ticker: 'MSFT',
      action: 'sell',
      quantity: 1_000,
      type: 'stop_limit',
      price: 389.5,
      stop_price: 390,
      time_in_force: 'gtc',
      client_order_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    await page.locator('#price-title', { hasText: 'MSFT' }).waitFor();
  });

  test('shows what is wrong with an order at its field', async () => {
    const page = await pages.open();
    await page.selectOption('#type', 'limit');
    await page.fill('#quantity', '12x');
    await page.click('#submit');
    expect(await page.textContent('#quantity ~ .fault')).toBe('Not a number');
    expect(await page.textContent('#limit-price ~ .fault')).toBe('Needed');
    expect(await focused(page)).toBe('quantity');
    expect(await page.getAttribute('#quantity', 'aria-invalid')).toBe('true');
    expect(asked('submitOrder')).toEqual([]);

    await page.fill('#order-ticker', 'NOPE');
    await page.fill('#quantity', '0.0000001');
    await page.fill('#limit-price', '1');
    await page.click('#submit');
    await page.locator('#quantity ~ .fault', { hasText: 'at most 6 decimal places' }).waitFor();
    await page.fill('#quantity', '1');
    await page.click('#submit');
    await page.locator('#order-ticker ~ .fault', { hasText: 'Unknown ticker' }).waitFor();
    expect(await page.locator('#quantity ~ .fault').count()).toBe(0);
    expect(await focused(page)).toBe('order-ticker');

    pages.fakes.script.submitOrder = () => {
      throw new BelegError('INSUFFICIENT_FUNDS', { detail: 'It takes 1,010.00' });
    };
    await page.click('#submit');
    await page
      .locator('#quantity ~ .fault', {
        hasText: 'There is not enough cash for this order. It takes 1,010.00.',
      })
      .waitFor();
    pages.fakes.script.submitOrder = () => {
      throw new BelegError('TRADING_INACTIVE');
    };
    await page.click('#submit');
    await page.locator('#order-result', { hasText: 'Not submitted: Trading is stopped' }).waitFor();
    expect(submitted()).toHaveLength(1);
  });

  test('a double click is one order, and so is Enter held down', async () => {
    const page = await pages.open();
    const before = pages.fakes.account.orders.length;
    await page.fill('#quantity', '5');
    await page.dblclick('#submit');
    await page.getByText('Submitted: buy 5 AAPL, market, day.').waitFor();
    await page.click('#submit', { clickCount: 3 });
    await page.focus('#submit');
    await page.keyboard.press('Enter');
    expect(pages.fakes.account.orders).toHaveLength(before + 1);
    expect(await page.textContent('#order-result')).toContain('Submitted');

    await page.fill('#quantity', '5');
    await Promise.all([page.keyboard.press('Enter'), page.keyboard.press('Enter')]);
    await expect.poll(() => pages.fakes.account.orders.length).toBe(before + 2);
    expect(asked('submitOrder')).toHaveLength(2);
  });

  test('an order whose answer was lost is said to be unknown, and stays one however often it is sent', async () => {
    const page = await pages.open();
    let losing = true;
    await page.route('**/api/trading/order', async (route) => {
      if (!losing) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.fill('#quantity', '7');
    await page.click('#submit');
    await page.getByText('It is not known whether “buy 7 AAPL, market, day” was placed.').waitFor();
    losing = false;
    await page.click('#submit');
    await page.getByText('Submitted: buy 7 AAPL').waitFor();
    expect(asked('submitOrder')).toHaveLength(2);
    expect(submitted().filter(({ quantity }) => quantity === 7)).toHaveLength(1);

    losing = true;
    await page.fill('#quantity', '8');
    await page.click('#submit');
    await page.getByText('It is not known whether “buy 8 AAPL, market, day” was placed.').waitFor();
    const order = pages.fakes.account.orders.at(-1)!;
    await push(order);
    await page.getByText('Submitted: buy 8 AAPL').waitFor();
    expect(await page.inputValue('#quantity')).toBe('');
  });

  test('cancels and closes, and says in words what cannot be', async () => {
    const page = await pages.open();
    await rowOf(page, 'orders', 'MSFT').getByText('Cancel').click();
    await said(page, 'Cancelling buy 10 MSFT. It may still be filled before that.');
    expect(pages.fakes.account.orders[1]!.status).toBe('pending_cancel');
    await rowOf(page, 'orders', 'MSFT').getByText('Cancel').click();
    await said(page, 'buy 10 MSFT was not cancelled: The order can no longer be cancelled.');

    while (await page.isVisible('[aria-label=Dismiss]')) await page.click('[aria-label=Dismiss] >> nth=0');
    await page.click('[aria-label="Close AAPL"]');
    await said(page, 'Closing AAPL with a market order in the next session.');
    await push(pages.fakes.account.orders.at(-1)!);
    await page.locator('[aria-label="Close AAPL"][aria-disabled=true]', { hasText: 'Closing' }).waitFor();
    await page.click('[aria-label="Close AAPL"]', { force: true });
    expect(asked('closePosition')).toHaveLength(1);
  });

  test('the list has the focus where the button that had it goes', async () => {
    const page = await pages.open();
    await page.focus('[aria-label="Cancel buy 10 MSFT"]');
    const { orders } = pages.fakes.account;
    orders[1] = { ...orders[1]!, status: 'cancelled' };
    await push(orders[1]);
    await page.locator('[aria-label="Cancel buy 10 MSFT"]').waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('List of orders');
  });

  test('rows stay under the mouse, and what came meanwhile shows when it has gone', async () => {
    const page = await pages.open();
    const cancel = rowOf(page, 'orders', 'MSFT').getByText('Cancel');
    await cancel.hover();
    const place = await cancel.boundingBox();
    pages.fakes.account.orders.push({ ...FILLED, order_id: 'new', ticker: 'SPY' });
    await push(pages.fakes.account.orders.at(-1)!);
    await page.locator('#orders-count', { hasText: '3' }).waitFor();
    expect(await cancel.boundingBox()).toEqual(place);
    await page.hover('h1');
    await rowOf(page, 'orders', 'SPY').waitFor();
    expect(await page.locator('#orders-table tbody th').allInnerTexts()).toEqual(['SPY', 'MSFT', 'AAPL']);
  });

  test('sends no quantity that may mean another, and offers no order for an index', async () => {
    const page = await pages.open();
    await page.fill('#quantity', '1.000');
    expect(await page.textContent('#submit')).toBe('Buy AAPL');
    await page.click('#submit');
    await page.getByText('Write 1000 or 1: 1.000 can mean both').waitFor();
    await page.locator('#tickers label', { hasText: 'index' }).click();
    await page.locator('#submit[aria-disabled=true][title="An index cannot be traded"]').waitFor();
    await page.fill('#quantity', '1');
    await page.keyboard.press('Enter');
    await page.getByText('Not submitted: An index cannot be traded.').waitFor();
    expect(asked('submitOrder')).toEqual([]);
  });

  test("charts keep their colours where all others are the user's", async () => {
    const page = await pages.open({ forcedColors: 'active' });
    await page.waitForSelector('#price-chart[data-filled=true]');
    const seen = await page.evaluate(`(async () => {
      const { colour } = await import('/pages/dashboard/chart.ts');
      return new Set(['gain', 'bad', 'grid', 'ink'].map(colour)).size;
    })()`);
    expect(seen).toBe(4);
  });

  test('an open order off the scale of the chart stands at its edge', async () => {
    const page = await pages.open({
      prepare: async (page) =>
        void (await page.addInitScript(`{
          const paint = CanvasRenderingContext2D.prototype.fillText;
          window.painted = new Set();
          CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
            window.painted.add(text);
            paint.call(this, text, ...place);
          };
        }`)),
    });
    await page.click('#tickers label:has-text("MSFT")');
    await expect.poll(() => page.evaluate('[...window.painted]')).toContain('↑ buy 10 limit 400.00');
  });

  test('stops, starts, asks before it stops and closes all, does both even where one fails, and says why it is halted', async () => {
    const page = await pages.open();
    await page.click('#stop');
    await said(page, 'Trading stopped. Orders that would open positions are cancelled.');
    await page.locator('#engine-state', { hasText: 'Stopped' }).waitFor();
    pages.fakes.account.status = { ...pages.fakes.account.status, feed_resting: true };
    await push(FILLED);
    await page.locator('#session', { hasText: 'Jun 13, 2025 · paused while trading is stopped' }).waitFor();
    pages.fakes.account.status = { ...pages.fakes.account.status, feed_resting: false };
    await page.click('#start');
    await said(page, 'Trading started.');
    await page.locator('#engine-state', { hasText: 'Running' }).waitFor();
    const calls = pages.fakes.asked.length;

    await page.click('#kill');
    expect(await page.textContent('#confirm')).toContain(
      'AAPL: closed with market orders in the next session.',
    );
    expect(await focused(page)).toBe('Cancel');
    await page.keyboard.press('Enter');
    await page.locator('#confirm').waitFor({ state: 'hidden' });
    await page.click('#kill');
    await page.click('#confirm-yes');
    await said(page, 'Closing AAPL.');
    const commands = pages.fakes.asked.slice(calls).map(({ name }) => name);
    expect(commands.filter((name) => /^(start|stop|close)/.test(name))).toEqual(['stopTrading', 'closeAll']);

    await page.click('#close-all');
    expect(await page.textContent('#confirm-title')).toBe('Close all positions?');
    await page.click('#confirm-yes');
    await expect.poll(() => asked('closeAll').length).toBe(2);
    expect(asked('stopTrading')).toHaveLength(2);

    pages.fakes.script.stopTrading = () => {
      throw new BelegError('STORE_UNAVAILABLE');
    };
    await page.click('#kill');
    await page.click('#confirm-yes');
    await said(page, /Trading was not stopped: The record cannot be written/);
    await expect.poll(() => asked('closeAll').length).toBe(3);

    expect(await page.isVisible('#halted')).toBe(false);
    const halt_reason = 'daily loss of 5.2 %';
    pages.fakes.account.status = {
      ...pages.fakes.account.status,
      active: false,
      state: 'halted',
      halt_reason,
    };
    await pages.fakes.publish(TradingHalted, { reason: 'daily_loss', detail: halt_reason });
    await page.locator('#halted', { hasText: 'Trading is halted: daily loss of 5.2 %.' }).waitFor();
    expect(await page.textContent('#engine-state')).toBe('Halted');
    expect(await page.getAttribute('#start', 'aria-disabled')).toBe('false');

    const last_halt = { reason: 'daily_loss', detail: '520 of 10000', session: '2025-06-13', resumed: null };
    const { status } = pages.fakes.account;
    pages.fakes.account.status = { ...status, halt_reason: 'daily_loss', last_halt, dividends: 12.5 };
    await pages.fakes.publish(TradingHalted, { reason: 'daily_loss', detail: '520 of 10000' });
    const words =
      'Trading is halted since Jun 13, 2025: the daily loss limit has been reached (520 of 10000).';
    await page.locator('#halted', { hasText: words }).waitFor();
    expect(await page.getAttribute('#start', 'aria-disabled')).toBe('true');
    expect(await page.textContent('#dividends')).toBe('+12.50');
    expect(await page.textContent('#borrowing')).toBe('0.00');
    const resumed = { ...last_halt, resumed: '2025-06-16' };
    pages.fakes.account.status = { ...status, state: 'running', halt_reason: null, last_halt: resumed };
    await push(FILLED);
    await page.locator('#last-halt', { hasText: 'Last halt: Jun 13, 2025, until Jun 16, 2025' }).waitFor();
  });

  test('a lost connection is said and shown, and everything is read again once it is back', async () => {
    const page = await pages.open();
    await pages.app.close();
    await page
      .locator('#stale', { hasText: /Connection lost. The figures are from \d\d:\d\d:\d\d\./ })
      .waitFor();
    expect(await page.textContent('#connection-text')).toMatch(/^Not live · last message \d\d:\d\d:\d\d$/);
    const filter = '(selector) => getComputedStyle(document.querySelector(selector)).filter';
    expect(await page.evaluate(`(${filter})('#figures')`)).toContain('grayscale');
    await page.click('#stop');
    await said(page, 'Stop: The service did not answer.');
    await page.check('[name=action][value=sell]');
    await page.fill('#quantity', '3');
    await page.dispatchEvent('#submit', 'click');
    await page.getByText('Not submitted: Not live: prices and positions may have changed.').waitFor();
    expect(await page.getAttribute('#positions-table .act button', 'aria-disabled')).toBe('true');
    expect(await page.getAttribute('#close-all', 'aria-disabled')).toBe('true');
    expect(await page.getAttribute('#close-all', 'title')).toBe(
      'Not live: prices and positions may have changed',
    );
    // The kill switch stays usable all the same.
    expect(await page.getAttribute('#kill', 'aria-disabled')).toBe('false');

    pages.fakes.account.status = { ...pages.fakes.account.status, total_value: 99_000 };
    pages.fakes.account.orders.push({ ...FILLED, order_id: 'meanwhile', ticker: 'SPY' });
    await pages.listen(Number(new URL(pages.url).port));
    await tryNow(page);
    await page.waitForSelector('[data-connection=live]');
    expect(await page.textContent('#total-value')).toBe('$99,000.00');
    expect(await page.locator('#orders-table tbody th').allInnerTexts()).toEqual(['SPY', 'MSFT', 'AAPL']);
    expect(await page.isVisible('#stale')).toBe(false);
    expect(await page.getAttribute('#close-all', 'aria-disabled')).toBe('false');
    expect(await page.evaluate(`(${filter})('#figures')`)).toBe('none');
    await page.click('#submit');
    await page.getByText('Submitted: sell 3 AAPL').waitFor();
  });

  test('says that there were too many requests, sends none until it may, and then loads the rest', async () => {
    let refusing = true;
    let asked = 0;
    const page = await pages.open({
      until: '[data-connection]',
      prepare: async (page) => {
        await page.clock.install();
        await page.route('**/api/**', async (route) => {
          asked += 1;
          if (!refusing) return route.fallback();
          return route.fulfill({
            status: 429,
            headers: { 'retry-after': '30', 'content-type': 'application/problem+json' },
            body: JSON.stringify({ title: 'Too many requests', code: 'RATE_LIMITED', request_id: 'r' }),
          });
        });
      },
    });
    await page
      .locator('#connection-text', { hasText: /^Too many requests: the rest is loaded at \d\d:\d\d:\d\d$/ })
      .waitFor();
    const first = asked;
    await page.clock.fastForward(20_000);
    expect(asked).toBe(first);
    refusing = false;
    await page.clock.fastForward(11_000);
    await page.waitForSelector('[data-connection=live]');
    await page.locator('#total-value', { hasText: '$' }).waitFor();
  });

  test.each([390, 1_152, 1_440])('at %i px no text of the account is painted over another', async (width) => {
    const page = await pages.open({
      viewport: { width, height: 900 },
      script: {},
    });
    pages.fakes.account.status = {
      ...pages.fakes.account.status,
      unsettled_cash: 12_345.67,
      discrepancies: 2,
      last_halt: {
        session: '2025-06-10',
        reason: 'daily_loss',
        detail: '7105.173565 lost since the last close, of 92894.826435',
        resumed: '2025-06-11',
      },
    };
    await push(FILLED);
    await page
      .locator('#last-halt', { hasText: '7,105.17 lost since the last close, of 92,894.83' })
      .waitFor();
    await page.locator('#performance-period', { hasText: '252 sessions' }).waitFor();
    const boxes = await page.evaluate<
      { text: string; left: number; right: number; top: number; bottom: number }[]
    >(`
      [...document.querySelectorAll(':is(#account, #performance) :is(dt, dd, #last-halt)')].map((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        return { text: node.textContent, left, right, top, bottom };
      })`);
    const overlaps = boxes.flatMap((a, i) =>
      boxes
        .slice(i + 1)
        .filter(
          (b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1,
        )
        .map((b) => [a.text, b.text]),
    );
    expect(overlaps).toEqual([]);
  });

  test('comes back by itself, and notices a connection that went silent', async () => {
    let deaf = false;
    const page = await pages.open({
      prepare: async (page) => {
        await page.clock.install();
        await page.routeWebSocket('**/ws', (socket) => {
          const server = socket.connectToServer();
          server.onMessage((message) => {
            if (!deaf) socket.send(message);
          });
        });
      },
    });
    deaf = true;
    // Prices and positions of six seconds ago are not live, and nothing is bought on them.
    await page.clock.fastForward(3_500);
    await page.clock.fastForward(2_500);
    await page.waitForSelector('[data-connection=lost]');
    await page.locator('#connection-text', { hasText: 'Not live' }).waitFor();
    deaf = false;
    await page.clock.fastForward(2_000);
    await page.waitForSelector('[data-connection=live]');
  });

  test('a message that is missing makes it read everything again', async () => {
    let drop = false;
    const page = await pages.open({
      prepare: (page) =>
        page.routeWebSocket('**/ws', (socket) => {
          const server = socket.connectToServer();
          server.onMessage((message) => {
            if (drop && String(message).includes('"type":"order"')) drop = false;
            else socket.send(message);
          });
        }),
    });
    drop = true;
    const order = { ...FILLED, order_id: 'missed', ticker: 'SPY' };
    pages.fakes.account.orders.push(order);
    await push(order);
    await closeSession(NEXT, 100_500);
    await said(page, 'Some messages were missed; all data was loaded again.');
    await rowOf(page, 'orders', 'SPY').waitFor();
  });

  test('where there is no WebSocket it shows what it could read, and does not call it live', async () => {
    const page = await pages.open({
      prepare: (page) => page.routeWebSocket('**/ws', (socket) => socket.close()),
      until: '[data-connection=lost]',
    });
    await page.getByText('$100,412.50').waitFor();
    await page.locator('#stale', { hasText: /The figures are from \d\d:\d\d:\d\d/ }).waitFor();
    expect(await page.getAttribute('body', 'data-connection')).toBe('lost');
  });

  test('greys what comes from a service that does not answer, and only that', async () => {
    const page = await pages.open();
    await pages.fakes.leave('trading');
    await page.locator('#connection-text', { hasText: 'Live, but no answer from trading' }).waitFor();
    const filters = await page.evaluate(
      "['#figures', '#tickers'].map((of) => getComputedStyle(document.querySelector(of)).filter)",
    );
    expect(filters).toEqual(['grayscale(1)', 'none']);
  });

  test('asks for a key, and keeps it in the tab alone', async () => {
    const page = await pages.open({
      settings: { apiKeys: ['the-trade-key'], readKeys: ['the-read-key'] },
      until: '#key-dialog[open]',
    });
    await page.fill('#key', 'wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The key that was used is not valid.').waitFor();
    await page.fill('#key', 'the-trade-key');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-connection=live]');
    expect(await page.textContent('#total-value')).toBe('$100,412.50');
    expect(await page.evaluate('({ ...sessionStorage })')).toEqual({ 'beleg.trading.key': 'the-trade-key' });
    expect(await page.evaluate('[localStorage.length, document.cookie, location.href]')).toEqual([
      0,
      '',
      `${pages.url}/`,
    ]);
    await page.click('#stop');
    await said(page, /Trading stopped/);
    expect(await page.isVisible('#read-only')).toBe(false);
    expect(pages.complaints).toEqual([]);
  });

  test('with a key for reading it shows all and sends nothing', async () => {
    const page = await pages.open({
      settings: { apiKeys: ['the-trade-key'], readKeys: ['the-read-key'] },
      until: '#key-dialog[open]',
    });
    await page.fill('#key', 'the-read-key');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#read-only:visible');
    await page.locator('#stop[aria-disabled=true][title="This key is read-only"]').waitFor();
    await page.fill('#quantity', '5');
    for (const button of ['#stop', '#kill', '#submit', '[aria-label="Close AAPL"]'])
      await page.click(button, { force: true });
    expect(await page.isVisible('#confirm')).toBe(false);
    expect(pages.fakes.asked.filter(({ name }) => /^(stop|close|submit)/.test(name))).toEqual([]);
    expect(await page.textContent('#total-value')).toBe('$100,412.50');
  });

  test('takes nothing the service says as HTML', async () => {
    const page = await pages.open({
      script: {
        tickers: () => ({ initial: ['AAPL'], index: HOSTILE, count: 1 }),
        pipeline: () => ({ ...PIPELINE, source: HOSTILE, failed: [{ ticker: HOSTILE, faults: [HOSTILE] }] }),
      },
    });
    pages.fakes.account.orders.push({
      ...FILLED,
      order_id: HOSTILE,
      ticker: HOSTILE,
      status: 'rejected',
      reject_reason: HOSTILE,
    });
    await push(pages.fakes.account.orders.at(-1)!);
    await rowOf(page, 'orders', HOSTILE).waitFor();
    await page.locator('#log-lines', { hasText: HOSTILE }).waitFor();
    expect(await page.locator('#tickers .name').last().textContent()).toBe(`${HOSTILE}index`);
    expect(await page.locator('body img, body script').count()).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('fits a phone, also with long words, and its links lead to the parts', async () => {
    const long = 'W'.repeat(200);
    const page = await pages.open({
      viewport: { width: 375, height: 740 },
      script: { pipeline: () => ({ ...PIPELINE, source: long, failed: [{ ticker: long, faults: [long] }] }) },
    });
    pages.fakes.account.orders.push({
      ...FILLED,
      order_id: 'long',
      quantity: 999_999_999,
      price: 999_999_999,
      reject_reason: long,
    });
    pages.fakes.account.status = {
      ...pages.fakes.account.status,
      strategy: long,
      state: 'halted',
      halt_reason: long,
    };
    await push(pages.fakes.account.orders.at(-1)!);
    await rowOf(page, 'orders', long).waitFor();
    await page.locator('#halted', { hasText: long }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.click('#data-faults summary');
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.click('nav >> text=Order');
    expect(await focused(page)).toContain('ticket');
  });

  test('a thousand orders are a page of them, and the page stays while new ones come', async () => {
    const many = Array.from({ length: 1_000 }, (_, i): OrderView => ({
      ...FILLED,
      order_id: `many-${i}`,
      filled_quantity: i + 1,
      quantity: i + 1,
    }));
    const page = await pages.open({
      script: {
        orders: ({ ids }) => ({
          orders: ids === null ? many : many.filter(({ order_id }) => ids.includes(order_id)),
        }),
      },
    });
    const quantities = () => page.locator('#orders-table tbody td:nth-child(5)').allInnerTexts();
    await page.locator('#orders-count', { hasText: '1,000' }).waitFor();
    expect(await quantities()).toHaveLength(25);
    await page.click('#older');
    expect((await quantities())[0]).toBe('975');
    many.push({ ...FILLED, order_id: 'new', quantity: 4_321, filled_quantity: 0, status: 'accepted' });
    await push(many.at(-1)!);
    await page.locator('#order-page', { hasText: '27–51' }).waitFor();
    expect((await quantities())[0]).toBe('975');
    await page.click('#order-filter >> text=Open');
    expect(await quantities()).toEqual(['4,321']);
  });

  test('an open order is there, however many came after it', async () => {
    const orders = Array.from({ length: 1_001 }, (_, i): OrderView => ({ ...FILLED, order_id: `many-${i}` }));
    orders[0] = { ...orders[0]!, status: 'accepted', filled_quantity: 0, quantity: 4_321 };
    const page = await pages.open({
      script: {
        orders: ({ limit, before }) => {
          const end =
            before === null ? orders.length : orders.findIndex((order) => order.order_id === before);
          return { orders: orders.slice(Math.max(0, end - limit), end) };
        },
        tradingStatus: () => ({ ...TRADING_STATUS, open_orders: 1 }),
      },
    });
    await page.locator('#orders-count', { hasText: '1,001' }).waitFor();
    await page.click('#order-filter >> text=Open');
    expect(await page.locator('#orders-table tbody td:nth-child(5)').allInnerTexts()).toEqual(['4,321']);
  });

  test('an update of the market data: its progress, its faults; a log that is cleared', async () => {
    let initial = TICKERS.initial;
    const page = await pages.open({ script: { tickers: () => ({ ...TICKERS, initial }) } });
    await page.click('#update');
    await said(page, 'Update of the market data started.');
    const update_id = '1';
    // What the user is typing is kept when the tickers are read again.
    await page.fill('#order-ticker', 'MS');
    await pages.fakes.publish(MarketUpdateStarted, { update_id, source: 'demo', tickers: ['AAPL', 'MSFT'] });
    await pages.fakes.publish(TickerUpdateFailed, { update_id, ticker: 'AAPL', faults: ['no such table'] });
    await page.getByText('1 of 2 tickers').waitFor();
    await page.click('#data-faults summary');
    expect(await page.textContent('#data-faults ul')).toBe('AAPL: no such table');
    expect(await page.getAttribute('#update', 'aria-disabled')).toBe('true');
    initial = [...initial, 'NEW'];
    await pages.fakes.publish(MarketUpdateFinished, { update_id, updated: 1, failed: 1 });
    await said(page, 'Market data updated, 1 with faults.');
    await page.locator('#tickers label', { hasText: 'NEW' }).waitFor();
    expect(await page.inputValue('#order-ticker')).toBe('MS');
    await page.click('#clear-logs');
    await page.click('#confirm >> text=Cancel');
    expect(await page.locator('#log-lines li').count()).toBeGreaterThan(0);
    await page.click('#clear-logs');
    await page.click('#confirm-yes');
    await said(page, 'Log cleared.');
    await expect.poll(() => page.locator('#log-lines li').count()).toBe(0);
  });

  test('tickers and charts follow the arrow keys, and say what they show', async () => {
    const page = await pages.open();
    await page.waitForSelector('#price-chart[data-filled=true]');
    await page.focus('#tickers input:checked');
    await page.keyboard.press('ArrowDown');
    await page.locator('#price-title', { hasText: 'MSFT' }).waitFor();
    await page.locator('#price-readout', { hasText: 'O ' }).waitFor();
    expect(await page.inputValue('#order-ticker')).toBe('MSFT');
    await page.focus('#price-chart');
    await page.keyboard.press('End');
    expect(await page.getAttribute('#price-chart', 'aria-valuetext')).toMatch(/^Jun 13, 2025 {2}O /);
    await page.keyboard.press('ArrowLeft');
    expect(await page.getAttribute('#price-chart', 'aria-valuetext')).toMatch(/^Jun 12, 2025 {2}O /);
  });

  test('marks on the chart what was bought, in the session and at the price of its fill', async () => {
    const page = await pages.open({
      script: {
        actions: ({ ticker }) => ({
          ticker,
          actions: { splits: { '2025-06-12': 2 }, dividends: { '2025-06-13': 0.5 } },
        }),
      },
    });
    pages.fakes.account.orders.push({
      ...FILLED,
      order_id: 'marked',
      filled_at: '2025-06-11',
      average_price: 300,
      filled_quantity: 10,
    });
    await push(pages.fakes.account.orders.at(-1)!);
    await page.waitForSelector('#price-chart[data-filled=true]');
    await page.focus('#price-chart');
    const readout = page.locator('#price-readout');
    await page.keyboard.press('End');
    expect(await readout.textContent()).toContain('Dividend 0.50');
    await page.keyboard.press('ArrowLeft');
    expect(await readout.textContent()).toContain('Split 2 : 1');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => readout.textContent()).toContain('Bought 20 @ 150.00');
  });
});
