import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startNatsServer, type NatsServer } from '../../../nats/server.suite.ts';
import {
  EVENTSTORE_BINARY,
  startServer,
  type ServerProcess,
} from '../../../eventstoredb/server-process.suite.ts';
import { spawnStandIn } from '../../../eventstoredb/stand-in/process.suite.ts';
import { Workspace } from '../../../processes/application.suite.ts';
import { closingOnFailure } from '../../../../services/foundation/closers.ts';
import type { Environment } from '../../../../services/foundation/settings-error.ts';
import { BelegProcess } from '../../../processes/process.suite.ts';
import type { ServiceName } from '../../../../services/composition/service-names.ts';

/** Two hosts with a data folder each, which the processes of a host share. */
export type Host = 'a' | 'b';

const MEMBERS: readonly (readonly [ServiceName, Host])[] = [
  ['audit', 'a'],
  ['audit', 'b'],
  ['knowledge', 'a'],
  ['knowledge', 'a'],
  ['market', 'a'],
  ['models', 'a'],
  ['trading', 'a'],
  ['trading', 'b'],
  ['gateway', 'a'],
  ['gateway', 'b'],
];

const USERS = ['gateway', 'knowledge', 'audit', 'market', 'trading', 'models', 'operator', 'chaos'] as const;

/** One service on one host: a process, and its successor after it has died. */
export class Member {
  readonly name: string;
  readonly service: ServiceName;
  readonly host: Host;
  readonly #deployment: Deployment;
  #process: BelegProcess | null = null;
  /** The addresses of a gateway's knowledge service and dashboard while it listens. */
  url: string | null = null;
  dashboardUrl: string | null = null;

  constructor(deployment: Deployment, name: string, service: ServiceName, host: Host) {
    this.#deployment = deployment;
    this.name = name;
    this.service = service;
    this.host = host;
  }

  get process(): BelegProcess | null {
    return this.#process;
  }

  /** Starts the service, and restarts it while something that it needs is away. Resolves once it is ready. */
  start(): Promise<unknown> {
    if (this.#process !== null || this.#deployment.isEnding) return Promise.resolve();
    const { options, folder } = this.#deployment;
    const log = openSync(join(folder, `${this.name}.log`), 'a', 0o600);
    const child = new BelegProcess(
      ['service', this.service],
      this.#deployment.environmentOf(this.service, this.host),
      { log, ...(options.root === undefined ? {} : { root: options.root }) },
    );
    closeSync(log);
    this.#process = child;
    if (this.service === 'gateway') void this.#hear(child);
    void this.#startAfter(child);
    return child.ready;
  }

  /** Ends it like the operating system or an operator; it stays down until `start`. */
  async end(how: 'kill' | 'stop'): Promise<void> {
    const child = this.#process;
    this.#forget();
    if (child === null) return;
    // A paused process handles no SIGTERM.
    child.resume();
    await (how === 'kill' ? child.kill() : child.stop());
  }

  pause(): void {
    this.#process?.pause();
  }

  resume(): void {
    this.#process?.resume();
  }

  async #startAfter(child: BelegProcess): Promise<void> {
    await child.ended;
    if (this.#process !== child) return;
    this.#forget();
    this.#deployment.ended.push(this.name);
    setTimeout(() => void this.start(), RESTART_MS);
  }

  async #hear(child: BelegProcess): Promise<void> {
    try {
      const urls = [await child.listening, await child.dashboard] as const;
      if (this.#process === child) [this.url, this.dashboardUrl] = urls;
    } catch {
      // The process had ended already, and its successor is waited for instead.
    }
  }

  #forget(): void {
    this.#process = null;
    this.url = this.dashboardUrl = null;
  }
}

/** The pause before a restart, as in a service manager. */
const RESTART_MS = 500;

export interface DeploymentOptions {
  /** The checkout whose services run; by default this one. */
  readonly root?: string;
}

/** Everything that runs on two hosts: NATS with its store on disk, and an event store in a process of its own. */
export class Deployment {
  readonly options: DeploymentOptions;
  readonly workspace: Workspace;
  readonly nats: NatsServer;
  readonly store: ServerProcess;
  readonly members: readonly Member[];
  /** Members that ended by themselves. */
  readonly ended: string[] = [];
  isEnding = false;
  readonly #passwords: Readonly<Record<string, string>>;

  private constructor(
    options: DeploymentOptions,
    workspace: Workspace,
    nats: NatsServer,
    store: ServerProcess,
    passwords: Readonly<Record<string, string>>,
  ) {
    this.options = options;
    this.workspace = workspace;
    this.nats = nats;
    this.store = store;
    this.#passwords = passwords;
    const count = new Map<string, number>();
    this.members = MEMBERS.map(([service, host]) => {
      const n = (count.get(service) ?? 0) + 1;
      count.set(service, n);
      return new Member(this, `${service}${n}`, service, host);
    });
  }

  /** Resolves when all are ready. */
  static async start(options: DeploymentOptions = {}): Promise<Deployment> {
    const workspace = await Workspace.create();
    const passwords = Object.fromEntries(USERS.map((user) => [passwordOf(user), `p${randomUUID()}`]));
    // What has begun is ended where something does not start.
    return closingOnFailure(async (closers) => {
      closers.defer(() => workspace.remove());
      const nats = await startNatsServer(
        ['-c', await natsConf(workspace.folder, options), '-m', '-1'],
        passwords,
      );
      closers.defer(() => nats.remove());
      const store = await (EVENTSTORE_BINARY === undefined
        ? spawnStandIn({ file: join(workspace.folder, 'stand-in.db') })
        : startServer());
      closers.defer(() => store.remove());
      const deployment = new Deployment(options, workspace, nats, store, passwords);
      closers.defer(() => deployment.endMembers());
      await Promise.all(deployment.members.map((member) => member.start()));
      return deployment;
    });
  }

  get folder(): string {
    return this.workspace.folder;
  }

  dataOf(host: Host): string {
    return join(this.folder, `host-${host}`);
  }

  of(...services: ServiceName[]): Member[] {
    return this.members.filter(({ service }) => services.includes(service));
  }

  environmentOf(user: (typeof USERS)[number], host: Host): Environment {
    return this.workspace.environment({
      DATA_DIR: this.dataOf(host),
      NATS_URL: this.nats.url,
      NATS_USER: user,
      NATS_PASSWORD: this.#passwords[passwordOf(user)],
      EVENTSTORE_URL: this.store.url,
      LOG_LEVEL: 'info',
      AUDIT_CHECKPOINT_EVERY: '500',
      TD_STRATEGY: 'none',
      TD_FEED_SPEED: '20',
      // Orders buy to the end, so that all the time some are acknowledged.
      TD_CASH: '100000000000',
    });
  }

  async endMembers(): Promise<void> {
    this.isEnding = true;
    await Promise.all(this.members.map((member) => member.end('kill')));
  }

  /** Ends all processes, and removes the files unless `keep` is set. */
  async remove({ keep = false } = {}): Promise<void> {
    this.nats.resume();
    this.store.resume();
    await this.endMembers();
    if (keep) await Promise.all([this.store.kill(), this.nats.kill()]);
    else {
      await this.store.remove();
      await this.nats.remove();
      await this.workspace.remove();
    }
  }
}

const passwordOf = (user: string): string => `NATS_${user.toUpperCase()}_PASSWORD`;

/** Writes `nats.conf` with a further user, who may delete what services have created. */
async function natsConf(folder: string, { root }: DeploymentOptions): Promise<string> {
  const text = await readFile(join(root ?? join(import.meta.dirname, '../../../..'), 'nats.conf'), 'utf8');
  const file = join(folder, 'nats.conf');
  const chaos = `users: [\n{ user: chaos, password: $${passwordOf('chaos')} }`;
  await writeFile(
    file,
    text.replace('users: [', () => chaos),
    { mode: 0o600 },
  );
  return file;
}
