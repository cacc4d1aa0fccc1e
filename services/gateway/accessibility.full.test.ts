import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { usePages as useDashboard } from './dashboard/page.suite.ts';
import { INTERACTION } from './knowledge/fake-replies.suite.ts';
import { browserIsThere } from './browser.suite.ts';
import { ask, usePages } from './knowledge/page.suite.ts';

const LOOKS = [
  { name: 'light, on a phone', width: 390, colorScheme: 'light', forcedColors: 'none' },
  { name: 'dark, on a desk', width: 1_440, colorScheme: 'dark', forcedColors: 'none' },
  { name: 'in forced colours', width: 1_440, colorScheme: 'light', forcedColors: 'active' },
] as const;

/** The faults that axe finds on the page: by all rules in the first look, by those for colours in the others. */
async function faultsOf(page: Page, looks: readonly (typeof LOOKS)[number][] = LOOKS): Promise<string[]> {
  await page.evaluate(axe.source);
  const faults: string[] = [];
  for (const { name, width, ...look } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia(look);
    const runOnly = name === LOOKS[0].name ? '' : ', runOnly: "color-contrast"';
    const { violations } = await page.evaluate<axe.AxeResults>(
      `axe.run({ resultTypes: ["violations"]${runOnly} })`,
    );
    for (const { id, nodes } of violations)
      faults.push(`${id}, ${name}: ${nodes.map(({ target }) => target.join(' ')).join('; ')}`);
  }
  return faults;
}

describe.skipIf(!browserIsThere)('nobody is kept out: what axe checks holds for', () => {
  const pages = usePages();

  test('the questions, before one is asked and with an answer and its source', async () => {
    const page = await pages.open();
    await page.waitForSelector('#start button');
    const before = await faultsOf(page, LOOKS.slice(0, 1));
    await page.setViewportSize({ width: 1_440, height: 900 });
    await ask(page);
    await page.waitForSelector('#passage mark');
    expect([...before, ...(await faultsOf(page))]).toEqual([]);
  });

  test("the operators' page, with a request", async () => {
    const page = await pages.open(
      {},
      { path: `/audit#request=${INTERACTION.request_id}`, until: '#request-title' },
    );
    await page.click('.timeline summary >> nth=0');
    expect(await faultsOf(page)).toEqual([]);
  });
});

describe.skipIf(!browserIsThere)('and for', () => {
  const dashboard = useDashboard();

  test('the dashboard, live and while it is not', async () => {
    const page = await dashboard.open();
    await page.waitForSelector('#price-chart[data-filled=true]');
    const live = await faultsOf(page);
    await dashboard.app.close();
    await page.waitForSelector('[data-connection=lost]');
    expect([...live, ...(await faultsOf(page, [LOOKS[1]]))]).toEqual([]);
  });
});
