import type { Process } from './process.ts';
import type { Role } from './service-process.ts';
import type { Machine, World } from './world.ts';

const PARTS = ['store', 'bus', 'vault', 'leases'] as const;

/** Streams that the service of a machine writes to: what happens to it happens to them. */
const WRITTEN: Readonly<Record<Role, readonly string[]>> = {
  trading: ['account', 'paper-broker'],
  market: ['market'],
  audit: ['comments', 'erasures', 'checkpoints'],
  knowledge: ['ask', 'knowledge-index'],
};

type Trouble = (world: World, machine: Machine, process: Process) => void;

const hit = ({ faultLog }: World, { role }: Machine, fault: string): void => {
  for (const kind of WRITTEN[role]) faultLog.hit(fault, kind);
};

/** For a while nothing more fits on the disk, or nothing can be synced. */
const failDisk: Trouble = ({ simulation }, { name, disk }) => {
  const full = simulation.chance(0.5);
  disk.full ||= full;
  disk.failing ||= !full;
  simulation.tell(name, full ? 'DISK FULL' : 'DISK FAILS TO SYNC');
  simulation.after(simulation.between(100, 5_000), null, () => {
    disk.full = disk.failing = false;
  });
};

const kill: Trouble = (world, _, process) => world.crash(process);

const cutPower: Trouble = (world, _, process) => world.crash(process, 'power cut');

const stop: Trouble = (world, machine) => {
  hit(world, machine, 'stopped in order');
  void world.stop(machine, true);
};

const cutOff: Trouble = (world, machine, process) => {
  const { simulation } = world;
  const parts = PARTS.filter(() => simulation.chance(0.5));
  for (const part of parts) process.cut.add(part);
  simulation.tell(process.name, `CUT OFF from ${parts.join(', ')}`);
  // Where the record is away everything goes to the disk.
  if (simulation.chance(0.3)) failDisk(world, machine, process);
  simulation.after(simulation.between(100, 6_000), null, () => {
    process.cut.clear();
    simulation.tell(process.name, 'is connected again');
  });
};

/** As a process that is suspended, or a machine without breath: it does not know how long it was. */
const stall: Trouble = (world, machine, process) => {
  const { simulation } = world;
  hit(world, machine, 'stall');
  const ms = simulation.between(100, 7_000);
  process.stalledUntil = simulation.now + ms;
  simulation.tell(process.name, `STALLS for ${(ms / 1_000).toFixed(1)} s`);
};

const setClock: Trouble = (world, machine, process) => {
  hit(world, machine, 'clock jumps');
  process.skewMs += world.simulation.pick([-3_600_000, -2_000, 2_000, 60_000, 3_600_000]);
  world.simulation.tell(process.name, `CLOCK JUMPS, it is ${process.skewMs} ms off`);
};

/** Somebody else may have it at once, while its holder goes on until it asks. */
const loseLease: Trouble = (world, machine, process) => {
  const { simulation, leases } = world;
  const held = [...leases.entries].filter(([, entry]) => entry.process === process);
  if (held.length === 0) return;
  hit(world, machine, 'lease lost');
  const [name] = simulation.pick(held);
  leases.entries.delete(name);
  simulation.tell(process.name, `LOSES LEASE ${name}`);
};

/** Those that come twice come twice as often. */
const TROUBLES: readonly Trouble[] = [
  kill,
  kill,
  cutPower,
  stop,
  cutOff,
  cutOff,
  stall,
  setClock,
  loseLease,
  failDisk,
];

/** Now and then something large happens to somebody, until that time. */
export async function makeTrouble(world: World, until: number): Promise<void> {
  const { simulation, machines } = world;
  const pause = simulation.pick([300, 1_000, 3_000, 20_000]);
  for (;;) {
    await simulation.sleep(simulation.between(pause / 4, pause * 2));
    if (simulation.now >= until) return;
    const machine = simulation.pick(machines);
    const { process } = machine;
    if (process?.alive === true) simulation.pick(TROUBLES)(world, machine, process);
  }
}
