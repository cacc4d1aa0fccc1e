import { beforeEach, describe, expect, it } from 'vitest';
import { parsePrice, parseQuantity } from '../../events/decimal.ts';
import { Account, opening, POLICY } from './account.suite.ts';
import { initialState } from './state.ts';
import { decide } from './decide.ts';
import { isAtRest, sessionClock } from './engine.ts';

let account: Account;

beforeEach(() => {
  account = new Account();
});

const close = (price: string, session = '2024-01-02') =>
  account.does({ type: 'close-session', session, closes: new Map([['AAA', parsePrice(price)]]) });

const compare = (positions: Record<string, string>) =>
  account.does({
    type: 'compare',
    positions: new Map(Object.entries(positions).map(([ticker, text]) => [ticker, parseQuantity(text)])),
  });

describe('the account', () => {
  it('is opened once', () => {
    expect(account.drafts[0]).toEqual({
      type: 'AccountOpened',
      data: { account: 'main', currency: 'USD', cash: '10000' },
    });
    expect(account.do({ type: 'open', account: 'main', currency: 'EUR', cash: 1n })).toEqual([]);
  });

  it('does nothing before that', () => {
    expect(() => decide({ type: 'start' }, initialState(), POLICY)).toThrow(
      expect.objectContaining({ code: 'INTERNAL' }),
    );
  });
});

describe('start and stop', () => {
  it('are quiet when there is nothing to do', () => {
    expect(account.does({ type: 'start' })).toEqual([]);
    expect(account.does({ type: 'stop' })).toEqual(['TradingStopped']);
    expect(account.does({ type: 'stop' })).toEqual([]);
    expect(account.does({ type: 'start' })).toEqual(['TradingStarted']);
  });

  it('the clock of a replay is set, and what is not said stays', () => {
    expect(sessionClock(account.state, 7)).toEqual({ paused: false, speed: 7 });
    expect(account.do({ type: 'set-clock', paused: true })).toEqual([
      { type: 'ClockSet', data: { paused: true, speed: null } },
    ]);
    expect(sessionClock(account.state, 7)).toEqual({ paused: true, speed: 7 });
    expect(account.do({ type: 'set-clock', speed: 0 })).toEqual([
      { type: 'ClockSet', data: { paused: true, speed: 0 } },
    ]);
    expect(account.do({ type: 'set-clock', paused: false })).toEqual([
      { type: 'ClockSet', data: { paused: false, speed: 0 } },
    ]);
    expect(sessionClock(account.state, 7)).toEqual({ paused: false, speed: 0 });
  });

  it('a clock that is set like that already stays as it is', () => {
    expect(account.does({ type: 'set-clock', paused: false })).toEqual([]);
    account.do({ type: 'set-clock', paused: true, speed: 2 });
    expect(account.does({ type: 'set-clock', paused: true })).toEqual([]);
    expect(account.does({ type: 'set-clock', speed: 2 })).toEqual([]);
  });

  it('stop cancels what could open exposure, and leaves what only closes', () => {
    account.holds('10', '100');
    account.submit({ id: 'buy', type: 'limit', price: '90' });
    account.submit({ id: 'take profit', action: 'sell', quantity: '6', type: 'limit', price: '120' });
    account.submit({ id: 'protect', action: 'sell', quantity: '4', type: 'stop', price: '80' });
    account.submit({ id: 'other', ticker: 'BBB' });
    expect(account.do({ type: 'stop' })).toEqual([
      { type: 'TradingStopped', data: {} },
      {
        type: 'OrderCancelRequested',
        data: { order_id: 'buy', ticker: 'AAA', reason: 'trading_stopped' },
      },
      {
        type: 'OrderCancelRequested',
        data: { order_id: 'other', ticker: 'BBB', reason: 'trading_stopped' },
      },
    ]);
  });

  it('stop cancels what was meant to close a position that is gone', () => {
    const short = new Account({ shorting: true }).holds('10', '100');
    short.submit({ id: 'a', action: 'sell', quantity: '10', type: 'limit', price: '120' });
    short.submit({ id: 'b', action: 'sell', quantity: '10', reduceOnly: true });
    short.trade('10', '100', { id: 'b' });
    expect(short.does({ type: 'stop' })).toEqual(['TradingStopped', 'OrderCancelRequested']);
  });

  it('stop leaves what only reduces, and cancels what comes on top of it', () => {
    account.holds('10', '100');
    account.submit({ id: 'older', action: 'sell', quantity: '10', type: 'limit', price: '120' });
    account.submit({ id: 'reducing', action: 'sell', quantity: '10', reduceOnly: true });
    expect(account.do({ type: 'stop' })).toMatchObject([{}, { data: { order_id: 'older' } }]);
  });

  it('stop does not ask twice', () => {
    account.submit();
    account.do({ type: 'cancel', order_id: 'o1' });
    expect(account.does({ type: 'stop' })).toEqual(['TradingStopped']);
  });
});

describe('a loss at the daily limit', () => {
  beforeEach(() => {
    account = new Account({ maxDailyLossBps: 500n }).holds('50', '100');
    account.do(opening('2024-01-02'));
  });

  it('halts trading and cancels what could open exposure', () => {
    account.submit({ ticker: 'BBB' });
    expect(close('90')).toEqual(['SessionClosed', 'TradingHalted', 'OrderCancelRequested']);
    expect(account.state).toMatchObject({ engine: 'halted', halt: { reason: 'daily_loss' } });
  });

  it('does not halt a hair before', () => {
    expect(close('90.01')).toEqual(['SessionClosed']);
  });

  it('is counted from the last close', () => {
    close('91');
    account.do(opening('2024-01-03'));
    expect(close('82', '2024-01-03')).toEqual(['SessionClosed']);
    account.do(opening('2024-01-04'));
    // 455 of 9,100 is 5 %.
    expect(close('72.9', '2024-01-04')).toEqual(['SessionClosed', 'TradingHalted']);
  });

  it('halts for that session: the next one opens with trading resumed, and counts its own loss', () => {
    close('90');
    expect(account.do(opening('2024-01-03')).slice(0, 2)).toEqual([
      { type: 'SessionOpened', data: { session: '2024-01-03' } },
      { type: 'TradingResumed', data: { session: '2024-01-03' } },
    ]);
    expect(account.state).toMatchObject({
      engine: 'running',
      sessionsRun: 0,
      halt: { reason: 'daily_loss', session: '2024-01-02', resumed: '2024-01-03' },
    });
    expect(close('81', '2024-01-03')).toEqual(['SessionClosed']);
  });

  it('resumes nothing that somebody stopped, or that another halt stands for', () => {
    close('90');
    compare({});
    expect(account.does(opening('2024-01-03'))).toEqual(['SessionOpened']);
    account.do({ type: 'stop' });
    expect(account.does(opening('2024-01-04'))).toEqual(['SessionOpened']);
  });

  it('a start in that session changes nothing while trading is halted, and halts it again after a stop', () => {
    close('90');
    expect(account.does({ type: 'start' })).toEqual([]);
    account.do({ type: 'stop' });
    expect(account.does({ type: 'start' })).toEqual(['TradingHalted']);
    account.refusesOrder({ ticker: 'BBB' }, 'TRADING_HALTED');
    expect(account.does({ type: 'start' })).toEqual([]);
    // Halted trading does not rest, so that the session comes in which it resumes.
    expect(isAtRest(account.state)).toBe(false);
    expect(account.does(opening('2024-01-03'))).toEqual(['SessionOpened', 'TradingResumed']);
  });

  it('a start in the next session starts trading that was stopped meanwhile', () => {
    close('90');
    account.do({ type: 'stop' });
    account.do(opening('2024-01-03'));
    expect(account.does({ type: 'start' })).toEqual(['TradingStarted']);
    expect(account.state.halt).toBeNull();
  });

  it('closing works while it is halted', () => {
    close('90');
    expect(account.submit({ action: 'sell', quantity: '50' })).toHaveLength(1);
    account.refusesOrder({ id: 'o2' }, 'TRADING_HALTED');
  });

  it('does not matter while trading is stopped', () => {
    account.do({ type: 'stop' });
    expect(close('50')).toEqual(['SessionClosed']);
  });
});

describe('comparing positions with the broker', () => {
  beforeEach(() => {
    account.holds('10', '100');
  });

  it('is quiet where they agree', () => {
    expect(compare({ AAA: '10' })).toEqual([]);
    expect(compare({ AAA: '10', BBB: '0' })).toEqual([]);
  });

  it('records each ticker that differs, and halts', () => {
    expect(compare({ AAA: '9', BBB: '1' })).toEqual([
      'DiscrepancyFound',
      'DiscrepancyFound',
      'TradingHalted',
    ]);
    expect(account.state.discrepancies).toMatchObject([
      { kind: 'position', ticker: 'AAA', detail: '10 here, 9 at the broker' },
      { kind: 'position', ticker: 'BBB', detail: '0 here, 1 at the broker' },
    ]);
  });

  it('says the same thing once', () => {
    compare({});
    expect(compare({})).toEqual([]);
    expect(compare({ AAA: '5' })).toEqual(['DiscrepancyFound']);
    account.do({ type: 'stop' });
    expect(compare({ AAA: '5' })).toEqual([]);
  });

  it('keeps trading from being started until they agree again', () => {
    account.do(opening('2024-01-02'));
    compare({});
    account.refuses({ type: 'start' }, 'TRADING_HALTED');
    account.do({ type: 'stop' });
    account.refuses({ type: 'start' }, 'TRADING_HALTED');
    expect(compare({ AAA: '10' })).toEqual(['DiscrepanciesSettled']);
    expect(account.does({ type: 'start' })).toEqual(['TradingStarted']);
  });

  it('halts an account that is stopped too', () => {
    account.do({ type: 'stop' });
    expect(compare({})).toEqual(['DiscrepancyFound', 'TradingHalted']);
  });
});
