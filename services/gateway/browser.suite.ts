import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { PATIENT } from '../../events/patient.suite.ts';

const CHROMIUM = '/usr/bin/chromium';

/** Where there is none, tests of pages are skipped, and that is said. */
export const browserIsThere = existsSync(CHROMIUM);
if (!browserIsThere) process.stderr.write(`tests of pages: skipped, there is no ${CHROMIUM}\n`);

/** A browser for the tests of a `describe`. */
export class TestBrowser {
  #browser!: Browser;
  /** What the page that was opened last has complained about: policy violations, failed loads, uncaught errors. */
  complaints: string[] = [];

  async start(): Promise<void> {
    this.#browser = await chromium.launch({
      executablePath: CHROMIUM,
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

  /** A page of its own, empty. */
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
