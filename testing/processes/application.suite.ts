import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { AskResponse } from '../../events/messages/knowledge.ts';
import { startApplication } from '../../services/composition/application.ts';
import type { Application } from '../../services/composition/running.ts';
import { readSettings } from '../../services/composition/settings.ts';
import type { Environment } from '../../services/foundation/settings-error.ts';
import { FaultyStore } from '../faults/faulty-store.suite.ts';
import { openRuntime } from '../../services/composition/runtime.ts';

/** A reply as a client receives it. */
export interface Reply<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** An HTTP client of a service under test. */
export class Client {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async post<T>(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply<T>> {
    const response = await fetch(`${this.url}${path}`, {
      method: 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  }

  async get<T>(path: string): Promise<Reply<T>> {
    const response = await fetch(`${this.url}${path}`);
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  }

  ask(question: string, requestId?: string): Promise<Reply<AskResponse>> {
    return this.post('/v1/ask', { question }, requestId === undefined ? {} : { 'x-request-id': requestId });
  }

  /** The names of the server-sent events of an ask, in order. */
  async follow(question: string): Promise<string[]> {
    const response = await fetch(`${this.url}/v1/ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ question }),
    });
    return [...(await response.text()).matchAll(/^event: (.*)$/gmu)].map(([, event]) => event!);
  }

  rate(requestId: string, rating: 'up' | 'down', feedback?: string) {
    return this.post<{ updated: boolean; code: string }>('/v1/ratings', {
      request_id: requestId,
      rating,
      ...(feedback === undefined ? {} : { feedback }),
    });
  }

  comment(requestId: string, comment: string) {
    return this.post<{ comment_id: number; code: string }>('/v1/comments', {
      request_id: requestId,
      comment,
    });
  }

  health() {
    return this.get<{
      status: string;
      audit: { ready: boolean; spooled: number; lost: number; keys_missing: number | null };
      followers: { name: string; events: number }[];
    }>('/v1/health');
  }
}

export interface Started {
  readonly application: Application;
  readonly client: Client;
  readonly store: FaultyStore;
}

/** A folder with a small knowledge base and a data folder. */
export class Workspace {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<Workspace> {
    const workspace = new Workspace(await mkdtemp(join(tmpdir(), 'beleg-')));
    await mkdir(workspace.kb);
    for (const passage of PASSAGES) await workspace.writePassage(passage);
    return workspace;
  }

  get kb(): string {
    return join(this.folder, 'kb');
  }

  get data(): string {
    return join(this.folder, 'data');
  }

  environment(more: Environment = {}): Environment {
    return {
      DATA_DIR: this.data,
      PV_KB_PATH: this.kb,
      // Tests decide when files are read.
      PV_KB_WATCH: 'false',
      PV_PORT: '0',
      TD_PORT: '0',
      PV_AUDIT_ENABLED: 'true',
      LOG_LEVEL: 'silent',
      ...more,
    };
  }

  writePassage({ id, title, section, text }: (typeof PASSAGES)[number]): Promise<void> {
    const front = [
      '---',
      `id: ${id}`,
      `title: ${title}`,
      `section: ${section}`,
      'stand: 2021-07',
      'work: Handbuch',
    ];
    return writeFile(join(this.kb, `${id}.md`), `${[...front, '---', '', text].join('\n')}\n`);
  }

  /** Starts the knowledge side of the application in this process, with a store that fails on demand. */
  async start(more: Environment = {}): Promise<Started> {
    const settings = readSettings(this.environment(more));
    const stores: FaultyStore[] = [];
    const application = await startApplication(settings, pino({ level: settings.logLevel }), {
      services: ['gateway', 'knowledge', 'audit'],
      open: async (...args) => {
        const runtime = await openRuntime(...args);
        const store = new FaultyStore(runtime.store);
        stores.push(store);
        return { ...runtime, store };
      },
    });
    return { application, client: new Client(application.url!), store: stores[0]! };
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** A question that the small base answers. */
export const QUESTION = 'Wie viele Werktage Urlaub gibt es mindestens im Jahr?';

const PASSAGES = [
  {
    id: 'URL-1',
    title: 'Mindesturlaub',
    section: '§ 3 BUrlG',
    text: 'Der Urlaub beträgt jährlich mindestens 24 Werktage. Als Werktage gelten alle Kalendertage, die nicht Sonn- oder gesetzliche Feiertage sind.',
  },
  {
    id: 'EFZ-1',
    title: 'Entgeltfortzahlung im Krankheitsfall',
    section: '§ 3 EntgFG',
    text: 'Wird ein Arbeitnehmer durch Arbeitsunfähigkeit infolge Krankheit an seiner Arbeitsleistung verhindert, so hat er Anspruch auf Entgeltfortzahlung bis zur Dauer von sechs Wochen.',
  },
  {
    id: 'AZ-1',
    title: 'Arbeitszeit der Arbeitnehmer',
    section: '§ 3 ArbZG',
    text: 'Die werktägliche Arbeitszeit der Arbeitnehmer darf acht Stunden nicht überschreiten. Sie kann auf bis zu zehn Stunden verlängert werden.',
  },
  {
    id: 'MU-1',
    title: 'Schutzfrist vor der Entbindung',
    section: '§ 3 MuSchG',
    text: 'Der Arbeitgeber darf eine schwangere Frau in den letzten sechs Wochen vor der Entbindung nicht beschäftigen, soweit sie sich nicht ausdrücklich bereit erklärt.',
  },
];
