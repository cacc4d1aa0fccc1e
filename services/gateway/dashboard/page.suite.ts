import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { PATIENT } from '../../../events/patient.suite.ts';
import { createDashboardGateway } from './dashboard.ts';
import { OPEN } from './dashboard.suite.ts';
import { startFakeTrading, type FakeTrading, type TradingScript } from './fake-trading.suite.ts';
import type { DashboardGatewaySettings } from './access.ts';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];

/** Where there is none, tests of the page are skipped, and that is said. */
export const browserIsThere = existsSync(CHROMIUM);
if (!browserIsThere)
  process.stderr.write(`tests of the dashboard's page: skipped, there is no ${CHROMIUM}\n`);

export interface Opening extends BrowserContextOptions {
  settings?: Partial<DashboardGatewaySettings>;
  script?: Partial<TradingScript>;
  /** Before the page is loaded. */
  prepare?: (page: Page) => Promise<void>;
  /** What is waited for. */
  until?: string;
}

/** The dashboard over fake services, and a browser that looks at it; both belong to one test at a time. */
class Pages {
  browser!: Browser;
  app!: FastifyInstance;
  url!: string;
  fakes!: FakeTrading;
  /** What the browser complained about: policy violations, failed loads, uncaught errors. */
  complaints: string[] = [];
  #settings!: DashboardGatewaySettings;

  async listen(port = 0): Promise<void> {
    this.app = await createDashboardGateway(this.fakes.bus, this.#settings, pino({ level: 'silent' }));
    await this.app.listen({ host: '127.0.0.1', port });
    this.url = `http://127.0.0.1:${(this.app.server.address() as AddressInfo).port}`;
  }

  async open(opening: Opening = {}): Promise<Page> {
    const { settings, script, prepare, until = '[data-connection=live]', ...options } = opening;
    this.fakes = startFakeTrading(script);
    this.#settings = { ...OPEN, metricsIntervalMs: 200, ...settings };
    await this.listen();
    const context = await this.browser.newContext({ locale: 'de-DE', ...options });
    context.setDefaultTimeout(PATIENT.timeout);
    const page = await context.newPage();
    this.complaints = [];
    page.on('console', (message) => this.complaints.push(message.text()));
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    await prepare?.(page);
    await page.goto(this.url);
    await page.waitForSelector(until);
    return page;
  }
}

/** To be called in a `describe`: starts a browser for its tests, and closes after each what it opened. */
export function usePages(): Pages {
  const pages = new Pages();
  beforeAll(async () => {
    pages.browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  });
  afterAll(() => pages.browser.close());
  afterEach(async () => {
    await Promise.all(pages.browser.contexts().map((context) => context.close()));
    await pages.app.close();
  });
  return pages;
}

/** A notice says so. */
export const said = (page: Page, text: string | RegExp) => page.locator('#notices').getByText(text).waitFor();

/** Presses “Try now”; the page may have come back by itself by then, and the button be gone. */
export const tryNow = (page: Page) => page.dispatchEvent('#reconnect', 'click');

export const focused = (page: Page) =>
  page.evaluate('document.activeElement.id || document.activeElement.textContent.trim()');
