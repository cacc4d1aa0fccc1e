import { beforeEach, describe, expect, it } from 'vitest';
import { Order, Position, TradingStatusReply } from '../../events/messages/trading.ts';
import { parsePrice } from '../../events/decimal.ts';
import { Account, opening } from './account.suite.ts';
import { viewOrder, viewPositions, viewStatus } from './view.ts';

let account: Account;

beforeEach(() => {
  account = new Account();
  account.do(opening('2024-01-02'));
});

const view = (id = 'o1') => Order.parse(viewOrder(account.state.orders.get(id)!));

describe('an order as clients see it', () => {
  it('has the feed’s time and, at the market, the last price until it is filled', () => {
    account.submit({ quantity: '10', client: 'c1', last: '100.25' });
    expect(view()).toEqual({
      order_id: 'o1',
      ticker: 'AAA',
      action: 'buy',
      quantity: 10,
      price: 100.25,
      timestamp: '2024-01-02 00:00:00',
      type: 'market',
      status: 'submitted',
      filled_quantity: 0,
      average_price: null,
      fees: 0,
      reduce_only: false,
      reject_reason: null,
      client_order_id: 'c1',
      time_in_force: 'day',
      stop_price: null,
      origin: 'client',
    });
    account.trade('4', '99', { fee: '1.5' });
    account.trade('6', '101', { fee: '0.5' });
    expect(view()).toMatchObject({
      status: 'filled',
      price: 100.2,
      average_price: 100.2,
      filled_quantity: 10,
      fees: 2,
    });
  });

  it('keeps its limit when it is filled better, and a client’s hint until it is filled', () => {
    account.submit({ type: 'limit', price: '90' });
    account.trade('1', '88');
    expect(view()).toMatchObject({ price: 90, average_price: 88 });
    account.submit({ id: 'o2', price: '95' });
    expect(view('o2').price).toBe(95);
  });

  it('averages exactly: ten shares at 151.42 cost 151.42 each', () => {
    account.submit({ quantity: '10' });
    account.trade('10', '151.42');
    expect(view().average_price).toBe(151.42);
  });

  it('is submitted while its delivery is unknown, accepted when it is triggered', () => {
    account.submit({ type: 'stop_limit', price: '100', stop: '99' });
    account.do({ type: 'delivery-unknown', order_id: 'o1' });
    expect(view().status).toBe('submitted');
    account.report('accepted');
    account.report('triggered');
    expect(view()).toMatchObject({ status: 'accepted', stop_price: 99 });
  });

  it('is on its way to be cancelled until it is, whatever is reported in between', () => {
    account.submit({ quantity: '10' });
    account.do({ type: 'cancel', order_id: 'o1' });
    expect(view().status).toBe('pending_cancel');
    account.report('accepted');
    expect(view().status).toBe('pending_cancel');
    account.trade('4', '99');
    expect(view()).toMatchObject({ status: 'pending_cancel', filled_quantity: 4 });
    account.report('cancelled');
    expect(view().status).toBe('cancelled');
  });

  it('says why it was rejected', () => {
    account.submit();
    account.report('rejected');
    expect(view()).toMatchObject({ status: 'rejected', reject_reason: 'because' });
  });

  it('is of the earliest time there is before the first session', () => {
    account = new Account();
    account.submit();
    expect(view().timestamp).toBe('1970-01-01 00:00:00');
  });
});

describe('positions as clients see them', () => {
  it('are those that are held, by ticker', () => {
    account.holds('3', '10', 'AAA', '1').holds('10', '20', 'BBB');
    account.do({
      type: 'close-session',
      session: '2024-01-02',
      closes: new Map([['AAA', parsePrice('11')]]),
    });
    const views = viewPositions(account.state);
    expect(Object.keys(views)).toEqual(['AAA', 'BBB']);
    expect(Position.parse(views['AAA'])).toEqual({
      quantity: 3,
      strategy_quantity: 0,
      side: 'long',
      average_price: 10,
      current_price: 11,
      price_session: '2024-01-02',
      stale: false,
      market_value: 33,
      cost_basis: 30,
      unrealized_pnl: 3,
      unrealized_pnl_percent: 10,
      realized_pnl: -1,
      dividends: 0,
      borrowing_costs: 0,
    });
  });

  it('say that a price is old while the ticker does not trade', () => {
    account.do(opening('2024-01-02'));
    account.holds('3', '10');
    expect(viewPositions(account.state)['AAA']).toMatchObject({ price_session: '2024-01-02', stale: false });
    account.do({ type: 'close-session', session: '2024-01-02', closes: new Map() });
    account.do(opening('2024-01-03'));
    account.do({ type: 'close-session', session: '2024-01-03', closes: new Map() });
    expect(viewPositions(account.state)['AAA']).toMatchObject({ price_session: '2024-01-02', stale: true });
  });

  it('are negative when they are short', () => {
    account = new Account({ shorting: true }).holds('-10', '20').holds('1', '18', 'BBB');
    account.do(opening('2024-01-02'));
    account.do({
      type: 'close-session',
      session: '2024-01-02',
      closes: new Map([['AAA', parsePrice('18')]]),
    });
    expect(viewPositions(account.state)['AAA']).toMatchObject({
      quantity: -10,
      side: 'short',
      average_price: 20,
      market_value: -180,
      cost_basis: -200,
      unrealized_pnl: 20,
      unrealized_pnl_percent: 10,
    });
  });
});

const status = (reconciling = false) =>
  TradingStatusReply.parse(
    viewStatus(account.state, {
      reconciling,
      feed_waiting: true,
      feed_resting: false,
      feed_paused: false,
      strategy: 'crossover',
    }),
  );

describe('the status', () => {
  it('sums up the account, what is flat included', () => {
    account.holds('10', '100', 'AAA', '1');
    account.submit({ id: 's', action: 'sell', quantity: '10' });
    account.trade('10', '110', { id: 's', fee: '2' });
    account.holds('10', '50', 'BBB');
    account.submit({ id: 'open' });
    expect(status()).toEqual({
      active: true,
      cash: 9597,
      total_value: 10_097,
      positions: viewPositions(account.state),
      orders_count: 4,
      state: 'running',
      halt_reason: null,
      last_halt: null,
      session: '2024-01-02',
      feed_waiting: true,
      feed_resting: false,
      feed_paused: false,
      realized_pnl: 97,
      dividends: 0,
      borrowing_costs: 0,
      unrealized_pnl: 0,
      fees: 3,
      unsettled_cash: 0,
      open_orders: 1,
      strategy: 'crossover',
      discrepancies: 0,
      currency: 'USD',
    });
  });

  it('says why trading is halted, and that the broker is being asked', () => {
    account.holds('1', '100');
    account.do({ type: 'compare', positions: new Map() });
    expect(status()).toMatchObject({
      active: false,
      state: 'halted',
      halt_reason: 'discrepancy',
      discrepancies: 1,
    });
    expect(status(true).state).toBe('reconciling');
    account.do({ type: 'stop' });
    expect(status()).toMatchObject({ state: 'stopped', halt_reason: null });
  });
});
