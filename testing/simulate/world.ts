import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { MessageBus } from '../../events/bus/bus.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { readSettings, type Settings } from '../../services/composition/settings.ts';
import type { Knowledge } from '../../services/knowledge/index-in-use.ts';
import type { OpenedSource } from '../../services/market/sources/open-source.ts';
import { dayOf, FakeMarket } from '../../services/trading/market.suite.ts';
import { simulatedSource } from './bar-source.ts';
import { AT_APPENDS, AT_WRITES, FaultLog, isShared, kindOfStream, LEASES, type Cell } from './fault-cells.ts';
import { Disk, mount, unmountAll } from './disk.ts';
import type { NewEvent } from '../../events/store/store.ts';
import { hashName } from '../../events/vault/nats-keys.ts';
import { Ledger } from '../../events/store/ledger.suite.ts';
import { LeaseTable } from './leases.ts';
import { Network } from './network.ts';
import { APPEND_FAULTS, Process, type AppendFate, type Part } from './simulated-process.ts';
import { startService, type Role, type Running } from './service-process.ts';
import { BEGIN, type Simulation } from './simulation.ts';
import { TROUBLES } from './trouble.ts';
import { KeyServer } from './keys.ts';
import { KeptIndex } from './kept-index.ts';
import { Watch } from './record-watch.ts';
import type { SmallBase } from './small-bases.ts';

/** A place for one process after the other, with the same disk. */
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

/** What is drawn for one story, such as its preferred kind of stream and the fault that it meets. */
export interface Scenario extends Cell {
  readonly roles: readonly Role[];
  /** The probability of the preferred fault where it can happen. */
  readonly intensity: number;
  /** The share of appends that meet any fault, twice as large for the preferred kind. */
  readonly appendFaults: number;
  /** The share of queries to each part without a reply. */
  readonly partFaults: number;
  /** The share of file writes that meet a fault. */
  readonly writeFaults: number;
  readonly strategy: 'none' | 'crossover' | 'mean-reversion';
}

/** One append of one process. */
interface Written {
  readonly term: number;
  readonly process: Process;
  /** Processes that have appended exactly the same in the same millisecond. */
  readonly also: Set<Process>;
  /** Whether its process was gone, or had lost the lease, when it landed. */
  readonly isLate: boolean;
}

/** Milliseconds until a dropped process restarts. */
const RESTART_MS = { least: 20, most: 1_500 };

/** The sessions of the market, and those before the feed's first. */
const MARKET = {
  days: 46,
  warmUp: 35,
  splits: { 37: { AAA: '2/1' }, 41: { BBB: '3/2' } },
  dividends: { 39: { AAA: 0.5 } },
};

/** All machines of one story, and what they share. */
export class World {
  readonly simulation: Simulation;
  readonly scenario: Scenario;
  readonly faultLog = new FaultLog();
  readonly ledger = new Ledger();
  readonly keys = new KeyServer(this);
  readonly leases: LeaseTable;
  readonly network: Network;
  readonly machines: Machine[] = [];
  readonly market = new FakeMarket(structuredClone(MARKET));
  readonly bases: readonly SmallBase[];
  readonly losses: { readonly stream: string; readonly count: number }[] = [];
  /** The number of dropped processes. */
  crashes = 0;
  /** The index of the base in the folder. */
  base = 0;
  /** From then on nothing fails any more. */
  healed = false;
  readonly #root: string;
  /** The source of bars. */
  readonly source: OpenedSource;
  readonly watch: Watch;
  /** The last append to each stream with one writer. */
  readonly #last = new Map<string, Written>();
  /** The append that each event came with, for streams with one writer. */
  readonly written = new Map<string, Written>();

  constructor(simulation: Simulation, scenario: Scenario, root: string, bases: readonly SmallBase[]) {
    this.simulation = simulation;
    this.scenario = scenario;
    this.#root = root;
    this.bases = bases;
    this.leases = new LeaseTable(simulation);
    this.network = new Network(this);
    this.watch = new Watch(this);
    this.source = simulatedSource(simulation, this.market, () => this.healed);
    for (const [n, role] of scenario.roles.entries()) this.machines.push(this.#machine(`${role}${n}`, role));
  }

  /** A client or a fake service, which never dies. */
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
      startService(this, machine, process).then(
        (running) => (machine.running = running),
        (error: unknown) => {
          simulation.tell(process.name, `does not start: ${String(error)}`);
          this.#drop(machine);
          simulation.after(1_000, null, () => this.start(machine));
        },
      );
    });
  }

  /** Drops the process in the middle of its work; another one starts with what is durable. */
  crash(process: Process, powerCut = false): void {
    const machine = this.machineOf(process);
    if (machine === undefined || !process.alive) return;
    this.crashes += 1;
    this.simulation.tell(process.name, powerCut ? 'POWER CUT' : 'KILLED');
    this.#drop(machine);
    if (powerCut) machine.disk.losePower();
    this.simulation.after(this.simulation.between(RESTART_MS.least, RESTART_MS.most), null, () =>
      this.start(machine),
    );
  }

  /** Stops in order; another process starts a moment later. */
  async stop(machine: Machine): Promise<void> {
    const { simulation } = this;
    const { running, process } = machine;
    if (running === null || process?.alive !== true || process.stopping) return;
    process.stopping = true;
    simulation.tell(process.name, 'stops');
    const caller = simulation.current;
    const gone = Promise.withResolvers<boolean>();
    process.onDrop.push(() => simulation.after(0, caller, () => gone.resolve(false)));
    simulation.after(120_000, caller, () => gone.resolve(false));
    const stopping = simulation.inHands(process, () => running.stop()).then(() => true);
    stopping.catch((error: Error) => simulation.fault(`${process.name} failed: ${error.stack}`));
    const stopped = await Promise.race([stopping.catch(() => false), gone.promise]);
    if (process.alive) {
      if (!stopped && this.healed) simulation.fault(`${process.name} does not stop`);
      simulation.tell(process.name, stopped ? 'has stopped' : 'is killed: it does not stop');
      this.#drop(machine);
    }
    this.start(machine);
  }

  /** Decides the fate of this append. `kind` is that of its stream. */
  ofAppend(process: Process, kind: string): AppendFate {
    const { simulation, scenario } = this;
    if (this.healed) return 'arrives';
    if (process.cut.has('store')) {
      this.faultLog.hit('no store', kind);
      return 'request lost';
    }
    const fault = this.#draw(kind, AT_APPENDS, scenario.appendFaults * (kind === scenario.kind ? 2 : 1));
    if (fault === undefined) return 'arrives';
    if (fault === 'no store') {
      this.cutOff(process, ['store']);
      return this.ofAppend(process, kind);
    }
    const becomes = APPEND_FAULTS.find((each) => each === fault);
    if (becomes !== undefined) this.faultLog.hit(becomes, kind);
    else simulation.after(simulation.between(0, 4), null, () => this.strike(process, fault, LEASES[kind]));
    return becomes ?? 'arrives';
  }

  /** Draws a fault where some can happen: the story's own for its preferred kind, else any. */
  #draw(kind: string, among: readonly string[], share: number): string | undefined {
    const { simulation, scenario } = this;
    if (kind === scenario.kind && among.includes(scenario.fault) && simulation.chance(scenario.intensity))
      return scenario.fault;
    return simulation.chance(share) ? simulation.pick(among) : undefined;
  }

  /** A large fault of a process: it affects the streams of its appends that are on their way. */
  strike(process: Process, trouble: string, lease?: string): void {
    const machine = this.machineOf(process);
    if (machine === undefined || !process.alive || this.healed) return;
    const kinds = new Set(process.appending.values());
    if (TROUBLES[trouble]!(this, machine, process, lease) === false) return;
    for (const kind of kinds) this.faultLog.hit(trouble, kind);
  }

  /** Disconnects the process from these parts for a while. */
  cutOff(process: Process, parts: readonly Part[]): void {
    const { simulation } = this;
    for (const part of parts) process.cut.add(part);
    simulation.tell(process.name, `CUT OFF from ${parts.join(', ')}`);
    simulation.after(simulation.between(100, 3_000), null, () => {
      for (const part of parts) process.cut.delete(part);
      simulation.tell(process.name, `reaches ${parts.join(', ')} again`);
    });
  }

  /** The disk is full or fails to sync for a while, or the power fails before this write is synced. */
  #ofWrite({ name, disk, process }: Machine, kind: string): void {
    const { simulation, scenario } = this;
    if (this.healed || disk.full || disk.failing) return;
    const fault = this.#draw(kind, AT_WRITES, scenario.writeFaults);
    if (fault === undefined) return;
    if (fault === 'lost write') {
      if (process !== null)
        simulation.after(simulation.between(0, 1.5), null, () => this.strike(process, 'power cut'));
      return;
    }
    disk.full = fault === 'disk full';
    disk.failing = !disk.full;
    simulation.tell(name, disk.full ? 'DISK FULL' : 'DISK FAILS TO SYNC');
    simulation.after(simulation.between(100, 2_000), null, () => {
      disk.full = disk.failing = false;
    });
  }

  /** The names under which text was sealed or erased, by the vault's hashes. */
  readonly #keyNames = new Map<string, string>();

  /** Called with each name before the vault is. */
  noteKeyName(name: string): void {
    this.#keyNames.set(`key.${hashName(name)}`, name);
  }

  nameOfKey(key: string): string {
    return this.#keyNames.get(key) ?? key;
  }

  /** The machine of this process. */
  machineOf(process: Process): Machine | undefined {
    return this.machines.find(({ name }) => process.name.startsWith(`${name}.`));
  }

  /** Whether this query to a part gets no reply. */
  failsAt(part: Part, process: Process, kind: string): boolean {
    if (this.healed) return false;
    if (process.cut.has(part)) {
      this.faultLog.hit(`no ${part}`, kind);
      return true;
    }
    const fault = `no ${part}`;
    if (this.#draw(kind, [fault], this.scenario.partFaults * (part === 'bus' ? 0.25 : 1)) === undefined)
      return false;
    this.faultLog.hit(fault, kind);
    return true;
  }

  /** From now on everything works, so that what was begun can end. */
  heal(): void {
    this.simulation.tell('fate', 'everything works again');
    this.healed = true;
    for (const machine of this.machines) {
      machine.disk.full = machine.disk.failing = false;
      machine.process?.cut.clear();
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

  /** After a write of a later holder no earlier one may write any more. */
  landed(
    process: Process,
    stream: string,
    terms: ReadonlyMap<string, number>,
    events: readonly NewEvent[],
    isNew: boolean,
  ): void {
    if (!isNew) {
      this.written.get(events.at(-1)!.id)?.also.add(process);
      return;
    }
    this.watch.landed(events);
    const kind = kindOfStream(stream);
    const lease = LEASES[kind];
    if (lease === undefined) return;
    const term = terms.get(lease) ?? 0;
    const last = this.#last.get(stream);
    if (last !== undefined && last.term > term && !last.also.has(process) && !isShared(kind)) {
      this.simulation.fault(
        `${process.name} writes to ${stream} after ${last.process.name}, which holds it since`,
      );
    }
    const isLate =
      !process.alive ||
      this.leases.holder(lease)?.process !== process ||
      process.terms.get(lease) !== terms.get(lease);
    const written = { term, process, isLate, also: new Set<Process>() };
    this.#last.set(stream, written);
    for (const { id } of events) this.written.set(id, written);
  }

  /** Whether the newest events come from an earlier holder: its successor learns of them when it writes. */
  readonly endsLate = (stream: string): boolean => this.#last.get(stream)?.isLate === true;

  #machine(name: string, role: Role): Machine {
    const root = join(this.#root, name);
    mkdirSync(root, { recursive: true });
    const disk: Disk = new Disk(this, (kind) => this.#ofWrite(machine, kind));
    mount(root, disk);
    const settings = readSettings({
      DATA_DIR: root,
      PV_AUDIT_ENABLED: 'true',
      PV_MAX_CONCURRENT_ASKS: '3',
      AUDIT_CHECKPOINT_EVERY: '20',
      // Time passes while trading is not active.
      TD_SOURCE: `csv:${root}`,
      TD_FEED_FROM: dayOf(MARKET.warmUp),
      TD_FEED_SPEED: '5',
      TD_STRATEGY: this.scenario.strategy,
      // The market is short and calm.
      TD_STRATEGY_PARAMS: 'trend=20,low=40,high=50',
      TD_SETTLEMENT_SESSIONS: '1',
      TD_SHORTING: 'true',
      // The smallest possible network.
      TD_MODEL_SEQUENCE_LENGTH: '4',
      TD_MODEL_HIDDEN_CHANNELS: '8',
      TD_MODEL_NUM_HEADS: '2',
      TD_MODEL_LAYERS: '1',
    });
    const machine: Machine = { name, role, root, disk, settings, starts: 0, process: null, running: null };
    return machine;
  }

  /**
   * Each process has its own index in service, and keeps a snapshot on its machine's disk. Both bases were built before the story. What
   * an index finds that is opened from the snapshot is compared with what that of the files finds.
   */
  async knowledge({ root }: Machine, process: Process): Promise<Knowledge> {
    const { simulation, bases } = this;
    const builtAt = new Date(BEGIN).toISOString();
    const kept = new KeptIndex(root);
    let writing = Promise.resolve();
    const merge = (): void => {
      writing = writing
        .then(() => kept.write(bases[this.base]!.snapshot))
        .catch((error: unknown) =>
          simulation.tell(process.name, `the snapshot is not written: ${String(error)}`),
        );
    };
    const { snapshot, found } = bases[this.base]!;
    const atStart = await kept.foundAtStart(snapshot).catch((error: unknown) => String(error));
    if (atStart !== null && atStart !== found)
      simulation.fault(
        `${process.name} starts with another index than that of its files: ${atStart.slice(0, 200)}`,
      );
    merge();
    const build = (): KnowledgeIndex => {
      const base = bases[this.base]!.index;
      return {
        ...base,
        builtAt,
        // A search ends within the turn of the event loop, like one by words, or later, like one with a model. Only the
        // seed decides, not an earlier search, so that a story is the same each time.
        search: (query, options) => {
          const hits = base.search(query, options);
          return simulation.chance(0.5) ? hits : simulation.sleep(0.5).then(() => hits);
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
      changedAtStart: null,
      hold: () => ({ index, [Symbol.dispose]: () => undefined }),
      build: async () => {
        const built = build();
        await simulation.sleep(simulation.between(5, 400));
        return built;
      },
      swap: (next) => {
        index = next;
        merge();
      },
      folder: '.',
      changes: async () => ({ added: [], changed: [], removed: [], state: '' }),
      close: () => writing,
    };
  }
}
