import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { MessageBus } from '../../events/bus/bus.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { readSettings, type Settings } from '../../services/config.ts';
import type { Knowledge } from '../../services/knowledge/knowledge.ts';
import { dayOf, FakeMarket } from '../../services/trading/market.suite.ts';
import { simulatedSource } from './bar-source.ts';
import { Disk, mount, unmountAll } from './disk.ts';
import type { NewEvent } from '../../events/store/store.ts';
import { FaultLog, kindOfStream } from './fault-log.ts';
import { Ledger } from '../../events/store/ledger.suite.ts';
import { LeaseTable } from './leases.ts';
import { Network } from './network.ts';
import { Published } from './outlet.ts';
import { APPEND_FAULTS, Process, type AppendFate, type Fate, type Part } from './process.ts';
import { startService, type Role, type Running, type Shared } from './service-process.ts';
import { BEGIN, type Simulation } from './simulation.ts';
import { TROUBLES } from './trouble.ts';
import { KeyTable } from './vault.ts';

/** Where one process after the other runs, over the same disk. */
export interface Machine {
  readonly name: string;
  readonly role: Role;
  readonly root: string;
  readonly disk: Disk;
  readonly settings: Settings;
  starts: number;
  process: Process | null;
  running: Running | null;
}

/** What is drawn for one story. */
export interface Scenario {
  readonly roles: readonly Role[];
  /** Share of appends that meet a fault. */
  readonly appendFaults: number;
  /** The fault that half of them meet; the others any. */
  readonly fault: string;
  /** The kind of stream that clients prefer to have written to. */
  readonly kind: string;
  /** Share of questions to each part that go unanswered. */
  readonly partFaults: number;
  readonly strategy: 'none' | 'crossover';
}

/** The kinds of streams that a service writes to. */
export const WRITTEN: Readonly<Record<Role, readonly string[]>> = {
  trading: ['account', 'paper-broker'],
  market: ['market'],
  audit: ['comments', 'erasures', 'checkpoints'],
  knowledge: ['ask', 'knowledge-index'],
  models: ['training', 'models'],
};

interface Writer {
  readonly term: number;
  readonly process: Process;
}

/** Under which lease a kind of stream is written to by one process, which others are fenced off from. */
const LEASES: Readonly<Record<string, string>> = {
  account: 'trading',
  'paper-broker': 'trading',
  market: 'market-update',
  training: 'training',
  models: 'training',
  'knowledge-index': 'knowledge-index',
  checkpoints: 'checkpoints',
};

/** What can happen to whoever has just sent an append, and to that. */
export const FAULTS: readonly string[] = [...APPEND_FAULTS, ...Object.keys(TROUBLES)];

/** Milliseconds until a process that was dropped runs again. */
const RESTART_MS = { least: 20, most: 1_500 };

/** Sessions of the market, and those before the feed's first. */
const MARKET = {
  days: 46,
  warmUp: 35,
  splits: { 37: { AAA: '2/1' }, 41: { BBB: '3/2' } },
  dividends: { 39: { AAA: 0.5 } },
};

/** All machines of one story, and what they share. */
export class World implements Fate {
  readonly simulation: Simulation;
  readonly scenario: Scenario;
  readonly faultLog = new FaultLog();
  readonly ledger = new Ledger();
  readonly keys = new KeyTable();
  readonly published = new Published();
  readonly leases: LeaseTable;
  readonly network: Network;
  readonly machines: Machine[] = [];
  readonly market = new FakeMarket(structuredClone(MARKET));
  readonly indexes: readonly KnowledgeIndex[];
  readonly losses: { readonly stream: string; readonly count: number }[] = [];
  /** Processes that were dropped. */
  crashes = 0;
  /** Which of the bases lies in the folder. */
  base = 0;
  /** From then on nothing fails any more. */
  healed = false;
  readonly #root: string;
  readonly #shared: Shared;
  /** Who wrote last to a stream that has one writer, by the term of its lease. */
  readonly #writers = new Map<string, Writer>();
  /** Streams whose newest events come from an earlier holder: a successor that has read before finds out when it writes. */
  readonly landedLate = new Set<string>();
  /** Who wrote which event. */
  readonly #written = new Map<string, Writer>();

  constructor(simulation: Simulation, scenario: Scenario, root: string, indexes: readonly KnowledgeIndex[]) {
    this.simulation = simulation;
    this.scenario = scenario;
    this.#root = root;
    this.indexes = indexes;
    this.leases = new LeaseTable(simulation);
    this.network = new Network(simulation, this);
    this.#shared = {
      simulation,
      fate: this,
      storeOptions: {
        simulation,
        ledger: this.ledger,
        fate: this,
        onLanded: (...landed) => this.#landed(...landed),
      },
      network: this.network,
      leases: this.leases,
      keys: this.keys,
      published: this.published,
      source: simulatedSource(simulation, this.market, () => this.healed),
    };
    for (const [n, role] of scenario.roles.entries()) this.machines.push(this.#machine(`${role}${n}`, role));
  }

  /** A client or a stand-in for a service: it never dies. */
  outsider(name: string): { process: Process; bus: MessageBus } {
    const process = new Process(name);
    const bus = this.network.connect(process, (error, subject) =>
      this.simulation.fault(`${name}: ${subject}: ${String(error)}`),
    );
    return { process, bus };
  }

  start(machine: Machine): void {
    if (machine.process?.alive === true) return;
    machine.starts += 1;
    const process = (machine.process = new Process(`${machine.name}.${machine.starts}`));
    const { simulation } = this;
    simulation.tell(process.name, 'starts');
    simulation.after(1, process, () => {
      startService(
        machine.role,
        { process, settings: machine.settings, knowledge: this.#knowledge() },
        this.#shared,
      ).then(
        (running) => (machine.running = running),
        (error: unknown) => {
          simulation.tell(process.name, `does not start: ${String(error)}`);
          this.#drop(machine);
          simulation.after(1_000, null, () => this.start(machine));
        },
      );
    });
  }

  /** The process is dropped at whatever it waits for; another one starts over what is durable. */
  crash(process: Process, powerCut = false): void {
    const machine = this.#machineOf(process);
    if (machine === undefined || !process.alive) return;
    this.crashes += 1;
    this.simulation.tell(process.name, powerCut ? 'POWER CUT' : 'KILLED');
    this.#drop(machine);
    if (powerCut) machine.disk.losePower();
    this.simulation.after(this.simulation.between(RESTART_MS.least, RESTART_MS.most), null, () =>
      this.start(machine),
    );
  }

  /** In order; another one starts a moment later, unless that is not wanted. */
  async stop(machine: Machine, restart: boolean): Promise<void> {
    const { running, process } = machine;
    if (running === null || process?.alive !== true || process.stopping) return;
    process.stopping = true;
    this.simulation.tell(process.name, 'stops');
    const stopped = await this.#inHands(process, () => running.stop(), 120_000);
    if (process.alive) {
      if (!stopped && this.healed) this.simulation.fault(`${process.name} does not stop`);
      this.simulation.tell(process.name, stopped ? 'has stopped' : 'is killed: it does not stop');
      this.#drop(machine);
    }
    if (restart) this.start(machine);
  }

  /** Lets a process do something of its own; `false` where it is not done in time. */
  #inHands(process: Process, work: () => Promise<void>, withinMs: number): Promise<boolean> {
    const { simulation } = this;
    const caller = simulation.current;
    return new Promise((resolve) => {
      const end = (done: boolean): void => void simulation.after(0, caller, () => resolve(done));
      simulation.after(0, process, () => {
        work().then(
          () => end(true),
          (error: unknown) => {
            simulation.fault(`${process.name} failed: ${String((error as Error).stack)}`);
            end(false);
          },
        );
      });
      process.onDrop.push(() => end(false));
      simulation.after(withinMs, caller, () => resolve(false));
    });
  }

  ofAppend(process: Process, kind: string): AppendFate {
    const { simulation, scenario } = this;
    if (this.healed) return 'arrives';
    if (process.cut.has('store')) {
      this.faultLog.hit('no store', kind);
      return 'request lost';
    }
    const share = scenario.appendFaults * (kind === scenario.kind ? 2 : 1);
    if (!simulation.chance(share)) return 'arrives';
    const fault = simulation.chance(0.5) ? scenario.fault : simulation.pick(FAULTS);
    const becomes = APPEND_FAULTS.find((each) => each === fault);
    if (becomes !== undefined) this.faultLog.hit(becomes, kind);
    else simulation.after(simulation.between(0, 6), null, () => this.strike(process, fault));
    return becomes ?? 'arrives';
  }

  /** Something large happens to a process: it hits the streams that it has appends to on their way. */
  strike(process: Process, trouble: string): void {
    const machine = this.#machineOf(process);
    if (machine === undefined || !process.alive || this.healed) return;
    const kinds = new Set(process.appending.values());
    for (const kind of kinds.size > 0 ? kinds : ['at rest']) this.faultLog.hit(trouble, kind);
    TROUBLES[trouble]!(this, machine, process);
  }

  #machineOf(process: Process): Machine | undefined {
    return this.machines.find((machine) => machine.process === process);
  }

  failsAt(part: Part, process: Process, kind: string): boolean {
    if (this.healed) return false;
    if (process.cut.has(part)) {
      this.faultLog.hit(`no ${part}`, kind);
      return true;
    }
    const { partFaults, kind: preferred } = this.scenario;
    const share = partFaults * (part === 'bus' ? 0.25 : 1) * (kind === preferred ? 3 : 1);
    if (!this.simulation.chance(share)) return false;
    this.faultLog.hit(`no ${part}`, kind);
    return true;
  }

  /** Everything works from now on: what was begun can come to its end. */
  heal(): void {
    this.simulation.tell('fate', 'everything works again');
    this.healed = true;
    for (const machine of this.machines) {
      machine.disk.full = machine.disk.failing = false;
      machine.process?.cut.clear();
      if (machine.process !== null) machine.process.stalledUntil = 0;
    }
  }

  end(): void {
    for (const machine of this.machines) this.#drop(machine);
    unmountAll();
    rmSync(this.#root, { recursive: true, force: true });
  }

  #drop(machine: Machine): void {
    this.losses.push(...(machine.running?.losses ?? []));
    machine.process?.drop();
    machine.running = null;
  }

  /** A later holder of the lease has written: no earlier one may any more. */
  #landed(
    process: Process,
    stream: string,
    terms: ReadonlyMap<string, number>,
    events: readonly NewEvent[],
  ): void {
    const lease = LEASES[kindOfStream(stream)];
    if (lease === undefined) return;
    const term = terms.get(lease) ?? 0;
    const last = this.#writers.get(stream);
    if (last !== undefined && last.term > term) {
      this.simulation.fault(
        `${process.name} writes to ${stream} after ${last.process.name}, which holds it since`,
      );
    }
    const writer = { term, process };
    this.#writers.set(stream, writer);
    if (process.alive && this.leases.holder(lease)?.process === process) this.landedLate.delete(stream);
    else this.landedLate.add(stream);
    for (const { id } of events) this.#written.set(id, writer);
  }

  /** Whoever wrote this event under a lease has had it ever since. */
  isInTerm(stream: string, id: string): boolean {
    const lease = LEASES[kindOfStream(stream)]!;
    const writer = this.#written.get(id);
    return (
      writer !== undefined &&
      this.leases.holder(lease)?.process === writer.process &&
      writer.process.terms.get(lease) === writer.term
    );
  }

  #machine(name: string, role: Role): Machine {
    const root = join(this.#root, name);
    mkdirSync(root, { recursive: true });
    const disk = new Disk(this.simulation, this.faultLog);
    mount(root, disk);
    const settings = readSettings({
      DATA_DIR: root,
      PV_AUDIT_ENABLED: 'true',
      PV_MAX_CONCURRENT_ASKS: '3',
      AUDIT_CHECKPOINT_EVERY: '20',
      // Time goes on while nothing trades.
      TD_SOURCE: `csv:${root}`,
      TD_FEED_FROM: dayOf(MARKET.warmUp),
      TD_FEED_SPEED: '5',
      TD_STRATEGY: this.scenario.strategy,
      TD_SETTLEMENT_SESSIONS: '1',
      TD_SHORTING: 'true',
      // As small as a network can be.
      TD_MODEL_SEQUENCE_LENGTH: '4',
      TD_MODEL_HIDDEN_CHANNELS: '8',
      TD_MODEL_NUM_HEADS: '2',
      TD_MODEL_LAYERS: '1',
    });
    return { name, role, root, disk, settings, starts: 0, process: null, running: null };
  }

  /** Each process has its own index in service; both bases were built before the story. */
  #knowledge(): Knowledge {
    const { simulation, indexes } = this;
    const builtAt = new Date(BEGIN).toISOString();
    const build = (): KnowledgeIndex => {
      const base = indexes[this.base]!;
      return {
        ...base,
        builtAt,
        // It takes as long whether or not it was searched for before: so a story is the same each time.
        search: (query, options) => {
          const hits = base.search(query, options);
          return simulation.sleep(0.5).then(() => hits);
        },
        close: () => Promise.resolve(),
      };
    };
    let index = build();
    return {
      get index() {
        return index;
      },
      warnings: [],
      use: (work) => work(index),
      build: async () => {
        const built = build();
        await simulation.sleep(simulation.between(5, 400));
        return built;
      },
      swap: (next) => void (index = next),
      close: () => Promise.resolve(),
    };
  }
}
