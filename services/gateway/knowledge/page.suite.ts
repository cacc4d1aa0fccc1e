import { EventEmitter, once } from 'node:events';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { BelegError } from '../../../events/errors.ts';
import { progressSubject, type AskProgress, type AskResponse } from '../../../events/messages/knowledge.ts';
import { TestBrowser } from '../browser.suite.ts';
import { answerTo, startFakeServices, type Script } from './fake-services.suite.ts';
import { openKnowledgeGateway } from './knowledge.ts';
import type { GatewaySettings } from './access.ts';

const OPEN: GatewaySettings = { apiKeys: [], adminApiKeys: [], allowedHosts: [], rateLimit: null };

export const QUESTION = 'Wie lange wird das Entgelt bei Krankheit fortgezahlt?';
export const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

interface Visit extends BrowserContextOptions {
  /** The selector to wait for. */
  readonly until?: string;
}

export interface Opening extends Visit {
  readonly settings?: Partial<GatewaySettings>;
  /** The path of the page, if it is not the test page. */
  readonly path?: string;
}

type Question = Parameters<Script['ask']>[0];

/** An ask that continues when the test says so. */
export interface HeldAsk {
  readonly request: Question;
  tell(...steps: AskProgress[]): void;
  answer(differences?: Partial<AskResponse>): void;
  fail(error: BelegError): void;
}

/** The page over fake services, and a browser that looks at it; both belong to one test at a time. */
class Pages extends TestBrowser {
  app?: FastifyInstance;
  url!: string;
  #services!: ReturnType<typeof startFakeServices>;
  #usual!: Script;
  #shared = true;
  #held = new EventEmitter<{ ask: [HeldAsk] }>();

  async open(
    script: Partial<Script> = {},
    { settings = {}, path = '', ...options }: Opening = {},
  ): Promise<Page> {
    await this.#serve(script, settings);
    return this.visit(this.url + path, options);
  }

  /** Opens this address in a new page. */
  async visit(
    url: string,
    { until = '#status:not([data-state=unknown])', ...options }: Visit = {},
  ): Promise<Page> {
    const page = await this.page(options);
    await page.goto(url);
    await page.waitForSelector(until);
    return page;
  }

  /** A gateway takes long to start, so a test without settings of its own uses the running one. */
  async #serve(script: Partial<Script>, settings: Partial<GatewaySettings>): Promise<void> {
    const own = Object.keys(settings).length > 0;
    if (own || this.app?.server.listening !== true) {
      await this.app?.close();
      this.#services = startFakeServices();
      this.#usual = { ...this.#services.script };
      const { bus } = this.#services;
      const app = await openKnowledgeGateway(bus, { ...OPEN, ...settings }, pino({ level: 'silent' }));
      this.url = await app.listen({ host: '127.0.0.1', port: 0 });
      this.app = app;
    }
    Object.assign(this.#services.script, this.#usual, script);
    this.#shared = !own;
  }

  async closeOpened(): Promise<void> {
    await this.closePages();
    if (!this.#shared) await this.app?.close();
  }

  /** Opens a page whose asks wait until the test continues them. */
  openHeld(script: Partial<Script> = {}, opening: Opening = {}): Promise<Page> {
    const ask: Script['ask'] = (request) =>
      new Promise((resolve, reject) => {
        this.#held.emit('ask', {
          request,
          tell: (...steps) => {
            for (const step of steps) {
              this.#services.bus.publish(
                progressSubject(request.progress!),
                Buffer.from(JSON.stringify(step)),
              );
            }
          },
          answer: (differences) => resolve(answerTo(request.question, request.request_id, differences)),
          fail: reject,
        });
      });
    return this.open({ ask, ...script }, opening);
  }

  /** The ask that `act` makes the page send. */
  async held(act: () => Promise<unknown>): Promise<HeldAsk> {
    const [[ask]] = await Promise.all([once(this.#held, 'ask') as Promise<[HeldAsk]>, act()]);
    return ask;
  }
}

/** To be called in a `describe`: starts a browser for its tests, and closes after each what it opened. */
export function usePages(): Pages {
  const pages = new Pages();
  beforeAll(() => pages.start());
  afterEach(() => pages.closeOpened());
  afterAll(async () => {
    await pages.app?.close();
    await pages.close();
  });
  return pages;
}

export async function ask(page: Page, question = QUESTION): Promise<void> {
  await page.fill('#question', question);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#result > *');
}

/** A service that gives every question the same answer. */
export const answering =
  (differences: Partial<AskResponse>): Script['ask'] =>
  ({ question, request_id }) =>
    answerTo(question, request_id, differences);

export const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth');
