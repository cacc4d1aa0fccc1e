import axe from 'axe-core';
import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedFolder } from '../../events/temporary-folder.suite.ts';
import {
  comparisonOf,
  REPORT_STATES,
  reportOf,
  SWEEP_STATES,
  sweepOf,
} from '../backtest/report-states.suite.ts';
import { browserIsThere, TestBrowser } from './browser.suite.ts';
import { startDashboard } from './dashboard/dashboard.suite.ts';

const TABLET = 1_024;
const LOOKS = [
  { name: 'phone, light', width: 390, colorScheme: 'light', media: 'screen' },
  { name: 'phone, dark', width: 390, colorScheme: 'dark', media: 'screen' },
  { name: 'tablet, light', width: TABLET, colorScheme: 'light', media: 'screen' },
  { name: 'tablet, dark', width: TABLET, colorScheme: 'dark', media: 'screen' },
  { name: 'desk, light', width: 1_440, colorScheme: 'light', media: 'screen' },
  { name: 'desk, dark', width: 1_440, colorScheme: 'dark', media: 'screen' },
  { name: 'paper', width: 794, colorScheme: 'light', media: 'print' },
] as const;

/**
 * The text of what does not fit: elements that are wider than the window and cannot be scrolled to, text that is wider
 * than its box, overlapping labels of a chart, labels that an axis has twice, and curves without a colour.
 */
const MISFITS = `(() => {
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) faults.push('the page is ' + root.scrollWidth + ' wide');
  const inScroller = (element) => matchMedia('screen').matches && element.closest('.wide') !== null;
  for (const element of document.querySelectorAll('h1, h2, h3, p, li, dt, dd, th, td, summary, pre, svg')) {
    const { right, left, width } = element.getBoundingClientRect();
    if (width === 0) continue;
    const words = element.tagName + ' ' + element.textContent.trim().slice(0, 30);
    if (!inScroller(element) && (right > root.clientWidth + 1 || left < -1)) faults.push(words + ' is cut');
    if (element.tagName !== 'svg' && element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflow !== 'visible') faults.push(words + ' is clipped');
  }
  for (const svg of document.querySelectorAll('svg')) {
    const frame = svg.getBoundingClientRect();
    if (frame.width === 0) continue;
    const labels = [...svg.querySelectorAll('text')].map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() })).filter(({ box, text }) => box.width > 0 && text !== '');
    for (const axis of svg.querySelectorAll('[aria-label="y-axis tick label"]')) {
      const ticks = [...axis.querySelectorAll('text')].map((text) => text.textContent).filter((text) => text !== '');
      if (new Set(ticks).size < ticks.length) faults.push('an axis has a label twice: ' + ticks.join(' '));
    }
    if (svg.querySelector('[stroke="none"] path, path[stroke="none"]') !== null) faults.push('a curve has no colour');
    labels.forEach(({ text, box }, at) => {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1) faults.push('label ' + text + ' is outside its chart');
      for (const other of labels.slice(at + 1)) {
        const apart = box.right <= other.box.left + 0.5 || other.box.right <= box.left + 0.5 || box.bottom <= other.box.top + 1.5 || other.box.bottom <= box.top + 1.5;
        if (!apart) faults.push('labels ' + text + ' and ' + other.text + ' overlap');
      }
    });
  }
  return faults;
})()`;

/** What is wrong with a page in any of its looks, with everything folded open. */
async function faultsOf(page: Page, html: string): Promise<string[]> {
  const faults: string[] = [];
  await page.setContent(html.replaceAll('<details>', '<details open>'));
  await page.evaluate(axe.source);
  for (const { name, width, ...look } of LOOKS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia(look);
    const misfits = await page.evaluate<string[]>(MISFITS);
    faults.push(...misfits.map((fault) => `${name}: ${fault}`));
    // A tablet's page has what a desk's has; axe takes long on hundreds of tickers.
    if (look.media === 'print' || width === TABLET) continue;
    const { violations } = await page.evaluate<axe.AxeResults>('axe.run({ resultTypes: ["violations"] })');
    for (const { id, impact, nodes } of violations) {
      if (impact !== 'serious' && impact !== 'critical') continue;
      faults.push(`${name}: ${id}: ${nodes.map(({ target }) => target.join(' ')).join('; ')}`);
    }
  }
  return faults;
}

const folder = sharedFolder();

describe.skipIf(!browserIsThere)('a report, as the dashboard serves it', () => {
  const browser = new TestBrowser();
  let app: FastifyInstance;
  let url: string;

  beforeAll(async () => {
    await browser.start();
    ({ app } = await startDashboard({ reports: folder }));
    await app.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/reports`;
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  test.each(Object.entries(REPORT_STATES))(
    'of %s fits, light, dark and printed',
    { timeout: 900_000 },
    async (_, told) => {
      const html = await reportOf(told);
      const id = `20260101T000000Z-${hash('sha256', html, 'hex').slice(0, 8)}`;
      await writeFile(join(folder, `${id}.html`), html);
      const page = await browser.page({ viewport: { width: 1_024, height: 900 } });
      await page.goto(`${url}/${id}`);
      expect(browser.complaints).toEqual([]);
      // In the sandbox in which the report is served no script runs, not even these checks, so they look at the same
      // page without it.
      await page.goto('about:blank');
      expect(await faultsOf(page, html)).toEqual([]);
      await browser.closePages();
    },
  );
});

const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  ...Object.fromEntries(Object.entries(SWEEP_STATES).map(([name, told]) => [name, () => sweepOf(told)])),
  'two results side by side': () => comparisonOf([100, 120]),
  'eight results side by side': () => comparisonOf([40, 50, 60, 70, 80, 90, 100, 110]),
};

describe.skipIf(!browserIsThere)('a page that a command writes', () => {
  const browser = new TestBrowser();
  beforeAll(() => browser.start());
  afterAll(() => browser.close());

  test.each(Object.entries(PAGES))(
    'of %s fits, light, dark and printed',
    { timeout: 300_000 },
    async (_, make) => {
      const html = await make();
      expect(html).not.toMatch(/<script|https?:/);
      const page = await browser.page({ viewport: { width: 1_024, height: 900 } });
      expect(await faultsOf(page, html)).toEqual([]);
      expect(browser.complaints).toEqual([]);
      await browser.closePages();
    },
  );
});
