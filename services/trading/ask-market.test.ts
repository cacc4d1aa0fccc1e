import { expect, test } from 'vitest';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { serve } from '../../events/messages/define.ts';
import { Sessions } from '../../events/messages/market.ts';
import { askMarket } from './ask-market.ts';
import { dayOf, FakeMarket } from './market.suite.ts';

test('the newest sessions up to a day are found, in however many pages they come', async () => {
  const fake = new FakeMarket({ days: 60, warmUp: 30 });
  const broker = new InProcessBus();
  const market = askMarket(broker.connect(() => undefined));
  let page = 100;
  const answer = async ({ after, limit }: { after: string | null; limit: number }) =>
    fake.sessions(after, Math.min(limit, page));
  serve(
    broker.connect(() => undefined),
    Sessions,
    'market',
    answer,
    () => undefined,
  );
  for (page of [100, 7, 1]) {
    const dates = async (upTo: string, count: number) =>
      (await market.recentSessions(upTo, count)).map(({ date }) => date);
    expect(await dates(dayOf(40), 3)).toEqual([dayOf(38), dayOf(39), dayOf(40)]);
    expect(await dates(dayOf(59), 2)).toEqual([dayOf(58), dayOf(59)]);
    expect(await dates(dayOf(1), 5)).toEqual([dayOf(0), dayOf(1)]);
  }
});
