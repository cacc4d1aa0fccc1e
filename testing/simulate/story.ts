import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FakeMarket as BarsMarket } from '../../services/models/model-place.suite.ts';
import { systemClock } from '../../services/foundation/clock.ts';
import { Client } from './clients.ts';
import { checkEnd, checkRest } from './checks.ts';
import { Process } from './simulated-process.ts';
import { BEGIN, setPlaying, Simulation } from './simulation.ts';
import { makeTrouble } from './trouble.ts';
import { castsWith, CELLS } from './fault-cells.ts';
import type { SmallBase } from './small-bases.ts';
import { World, type Scenario } from './world.ts';

/** The result of one seed. */
export interface Outcome {
  readonly seed: number;
  readonly hash: string;
  readonly faults: readonly string[];
  /** The whole story, one line for each action. */
  readonly lines: readonly string[];
  readonly events: number;
  readonly virtualMs: number;
  /** How often each fault affected each kind of stream. */
  readonly hits: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Milliseconds of trouble: the least, and one of the most; a fault that hits a process twice needs seconds. */
const TROUBLE_MS = { least: 500, most: [3_000, 3_000, 3_000, 8_000] };

/** Plays one seed: first trouble, then everything works again, then the record is compared with the promises. */
export async function playStory(seed: number, folder: string, bases: readonly SmallBase[]): Promise<Outcome> {
  const simulation = new Simulation(seed);
  const root = join(folder, `story${seed}`);
  mkdirSync(root, { recursive: true });
  setPlaying(simulation);
  forgetTime(simulation);
  const onUnhandled = (error: unknown): void =>
    simulation.fault(
      `${simulation.current?.name ?? 'world'}: nobody handles ${String((error as Error)?.stack ?? error)}`,
    );
  process.on('unhandledRejection', onUnhandled);
  const world = new World(simulation, drawScenario(simulation), root, bases);
  try {
    await simulation
      .play(new Process('fate'), () => play(world))
      .catch((error: unknown) => {
        simulation.fault(`the story breaks off: ${String((error as Error).stack)}`);
      });
  } finally {
    world.end();
    process.off('unhandledRejection', onUnhandled);
    setPlaying(null);
  }
  return {
    seed,
    hash: simulation.hash(),
    faults: simulation.faults,
    lines: simulation.lines,
    events: world.ledger.all.length,
    virtualMs: simulation.now - BEGIN,
    hits: world.faultLog.counts,
  };
}

/** Resets the services' shared clock after the previous story. */
function forgetTime(simulation: Simulation): void {
  simulation.current = Object.assign(new Process('before'), { skewMs: 1e9 });
  systemClock.now();
  simulation.current = null;
}

function drawScenario(simulation: Simulation): Scenario {
  const cell = simulation.pick(CELLS);
  return {
    ...cell,
    roles: simulation.pick(castsWith(cell.kind)),
    intensity: simulation.pick([0.1, 0.3, 0.6]),
    appendFaults: simulation.pick([0, 0.05, 0.15]),
    partFaults: simulation.pick([0, 0.02, 0.06]),
    writeFaults: simulation.pick([0, 0.1, 0.3]),
    strategy: simulation.pick(['none', 'crossover', 'mean-reversion'] as const),
  };
}

async function play(world: World): Promise<void> {
  const { simulation, scenario } = world;
  const market = world.outsider('market');
  if (scenario.roles.includes('models')) {
    const bars = new BarsMarket();
    simulation.after(0, market.process, () => {
      bars.serve(market.bus);
      bars.serveTrading(market.bus);
    });
  } else if (!scenario.roles.includes('market')) {
    simulation.after(0, market.process, () => world.market.serve(market.bus));
  }
  for (const machine of world.machines) world.start(machine);
  const until = simulation.now + simulation.between(TROUBLE_MS.least, simulation.pick(TROUBLE_MS.most));
  const clients = Array.from({ length: 1 + simulation.whole(3) }, (_, n) => {
    const { process, bus } = world.outsider(`client${n}`);
    return { process, client: new Client(`client${n}`, world, bus) };
  });
  simulation.tell('fate', JSON.stringify({ ...scenario, clients: clients.length }));
  await simulation.sleep(50);
  const done = clients.map(({ process, client }) => simulation.inHands(process, () => client.run(until)));
  await makeTrouble(world, until);
  await Promise.all(done);
  // Data that is not durable by then is lost.
  if (simulation.chance(0.3)) {
    const blackout = simulation.pick(['killed', 'power cut']);
    for (const { process } of world.machines) if (process !== null) world.strike(process, blackout);
  }
  world.heal();
  for (const machine of world.machines) world.start(machine);
  const told = clients.flatMap(({ client }) => client.told);
  const { process, bus } = world.outsider('checker');
  await simulation.inHands(process, () => checkRest(world, new Client('checker', world, bus)));
  await checkEnd(world, told);
}
