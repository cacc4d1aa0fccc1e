import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { PATIENT } from '../../events/patient.suite.ts';

/** Chromium, rather without the windows and menus that no test sees: it takes half the time. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;
const BROWSER = BROWSERS.find((file) => existsSync(file));

/** Without Chromium the tests of pages are skipped, and a line says so. */
export const browserIsThere = BROWSER !== undefined;
if (!browserIsThere) {
  process.stderr.write(`tests of pages: skipped, there is none of ${BROWSERS.join(' and ')}\n`);
}

/** A browser for the tests of a `describe`. */
export class TestBrowser {
  #browser!: Browser;
  /** The complaints of the page that was opened last: policy violations, failed loads, uncaught errors. */
  complaints: string[] = [];

  async start(): Promise<void> {
    this.#browser = await chromium.launch({
      ...(BROWSER !== undefined && { executablePath: BROWSER }),
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
      ],
    });
  }

  /** Opens an empty page in a context of its own. */
  async page(options: BrowserContextOptions): Promise<Page> {
    const context = await this.#browser.newContext({ locale: 'de-DE', ...options });
    context.setDefaultTimeout(PATIENT.timeout);
    const page = await context.newPage();
    const complaints: string[] = (this.complaints = []);
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    return page;
  }

  async closePages(): Promise<void> {
    await Promise.all(this.#browser.contexts().map((context) => context.close()));
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}

export const focused = (page: Page) =>
  page.evaluate('document.activeElement.id || document.activeElement.textContent.trim()');
