import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBelowPaths } from './below-a-path.suite.ts';
import { browserIsThere, TestBrowser } from './browser.suite.ts';
import { ask } from './knowledge/page.suite.ts';

describe.skipIf(!browserIsThere)('in a browser', () => {
  const browser = new TestBrowser();
  beforeAll(() => browser.start());
  afterAll(() => browser.close());

  test.each(['cuts it off', 'leaves it'] as const)(
    'the pages work below a path that the proxy %s',
    async (habit) => {
      const services = await startBelowPaths(habit);
      const open = async (path: string, until: string) => {
        const page = await browser.page({});
        await page.goto(services.url + path);
        await page.waitForSelector(until);
        return page;
      };

      // People type the address without the slash at its end.
      const knowledge = await open('/beleg', '#status:not([data-state=unknown])');
      await ask(knowledge);
      await knowledge.waitForSelector('article');
      await knowledge.click('footer a >> nth=0');
      await knowledge.waitForURL(`${services.url}/beleg/audit`);
      await knowledge.waitForSelector('h1');
      await knowledge.click('a[href$="/docs"]');
      await knowledge.waitForSelector('.opblock');
      expect(browser.complaints).toEqual([]);

      const dashboard = await open('/house/trading/', '[data-connection=live]');
      await dashboard.waitForSelector('.uplot canvas');
      expect(browser.complaints).toEqual([]);

      await browser.closePages();
      await services.close();
    },
  );
});
