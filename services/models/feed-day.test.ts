import { expect, it } from 'vitest';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { serve } from '../../events/messages/define.ts';
import { Sessions } from '../../events/messages/market.ts';
import { feedDay } from './feed-day.ts';
import { day, FakeMarket } from './model-place.suite.ts';

const CONTEXT = { correlationId: 'r', callId: 'c' };
const newBus = () => new InProcessBus().connect(() => undefined);

const nothing = async () => ({ sessions: [], warm_up: null });

it('is the last session that the feed has closed', async () => {
  const bus = newBus();
  const market = new FakeMarket();
  market.serve(bus);
  market.serveTrading(bus);
  expect(await feedDay(bus, CONTEXT)).toBe(day(100));
  expect(market.asked).toEqual(['feed']);
});

it('is the one before the first while the feed has closed none, and where there is no feed', async () => {
  const bus = newBus();
  const market = new FakeMarket();
  market.session = null;
  market.serve(bus);
  expect(await feedDay(bus, CONTEXT)).toBe(day(60));
  market.serveTrading(bus);
  expect(await feedDay(bus, CONTEXT)).toBe(day(60));
});

it('cannot be told without market data, rather than all be looked at that comes', async () => {
  const bus = newBus();
  await expect(feedDay(bus, CONTEXT)).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
  serve(bus, Sessions, 'market', nothing, () => undefined);
  await expect(feedDay(bus, CONTEXT)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
