import type { Process } from './simulated-process.ts';
import type { Machine, World } from './world.ts';

const PARTS = ['store', 'bus', 'vault', 'leases'] as const;

/** Something that happens to a process, while it writes to a stream or at rest; `false` if it cannot happen to it. */
type Trouble = (world: World, machine: Machine, process: Process, lease?: string) => boolean | void;

export const TROUBLES: Readonly<Record<string, Trouble>> = {
  killed: (world, _, process) => world.crash(process),
  'power cut': (world, _, process) => world.crash(process, true),
  'stopped in order': (world, machine) => void world.stop(machine),
  'cut off': (world, _, process) =>
    world.cutOff(
      process,
      PARTS.filter(() => world.simulation.chance(0.5)),
    ),
  /** Like a suspended process, it does not know how long it stood still. */
  stall: ({ simulation }, _, process) => {
    const ms = simulation.between(100, 4_000);
    process.stalledUntil = simulation.now + ms;
    simulation.tell(process.name, `STALLS for ${(ms / 1_000).toFixed(1)} s`);
  },
  'clock jumps': ({ simulation }, _, process) => {
    process.skewMs += simulation.pick([-3_600_000, -2_000, 2_000, 60_000, 3_600_000]);
    simulation.tell(process.name, `CLOCK JUMPS, it is ${process.skewMs} ms off`);
  },
  /** Another process may get the lease at once, while its holder continues until its next renewal. */
  'lease lost': ({ simulation, leases }, _, process, lease) => {
    const held = leases.held(process);
    const name = lease ?? (held.length > 0 ? simulation.pick(held) : '');
    if (!held.includes(name)) return false;
    leases.remove(name);
    simulation.tell(process.name, `LOSES LEASE ${name}`);
    return true;
  },
};

/** Causes trouble for random processes at random times until `until`. */
export async function makeTrouble(world: World, until: number): Promise<void> {
  const { simulation, machines } = world;
  const pause = simulation.pick([200, 800, 3_000, 20_000]);
  for (;;) {
    await simulation.sleep(Math.min(simulation.between(pause / 4, pause * 2), until - simulation.now));
    if (simulation.now >= until) return;
    const machine = simulation.pick(machines);
    const { process } = machine;
    if (process?.alive === true) world.strike(process, simulation.pick(Object.keys(TROUBLES)));
  }
}
