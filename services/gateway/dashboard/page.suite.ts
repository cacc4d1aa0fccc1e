import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { TestBrowser } from '../browser.suite.ts';
import { openDashboardGateway } from './dashboard.ts';
import { OPEN } from './dashboard.suite.ts';
import { startFakeTrading, type FakeTrading, type TradingScript } from './fake-trading.suite.ts';
import type { DashboardGatewaySettings } from './access.ts';

export interface Opening extends BrowserContextOptions {
  settings?: Partial<DashboardGatewaySettings>;
  script?: Partial<TradingScript>;
  /** Is called before the page is loaded. */
  prepare?: (page: Page) => Promise<void>;
  /** The selector to wait for. */
  until?: string;
}

/** The dashboard over fake services, and a browser that looks at it; both belong to one test at a time. */
class Pages extends TestBrowser {
  app!: FastifyInstance;
  url!: string;
  fakes!: FakeTrading;
  #settings!: DashboardGatewaySettings;

  async listen(port = 0): Promise<void> {
    this.app = await openDashboardGateway(this.fakes.bus, this.#settings, pino({ level: 'silent' }));
    await this.app.listen({ host: '127.0.0.1', port });
    this.url = `http://127.0.0.1:${(this.app.server.address() as AddressInfo).port}`;
  }

  async open(opening: Opening = {}): Promise<Page> {
    const { settings, script, prepare, until = '[data-connection=live]', ...options } = opening;
    this.fakes = startFakeTrading(script);
    this.#settings = { ...OPEN, metricsIntervalMs: 200, ...settings };
    await this.listen();
    const page = await this.page(options);
    await prepare?.(page);
    await page.goto(this.url);
    await page.waitForSelector(until);
    return page;
  }
}

/** To be called in a `describe`: starts a browser for its tests, and closes after each what it opened. */
export function usePages(): Pages {
  const pages = new Pages();
  beforeAll(() => pages.start());
  afterAll(() => pages.close());
  afterEach(async () => {
    await pages.closePages();
    await pages.app.close();
  });
  return pages;
}

/** Notices of the page that have this text. */
export const said = (page: Page, text: string | RegExp) => page.locator('#notices').getByText(text).waitFor();

/** Presses “Try now” by an event: the page may have reconnected by then, and a click would wait for the button. */
export const tryNow = (page: Page) => page.dispatchEvent('#reconnect', 'click');
