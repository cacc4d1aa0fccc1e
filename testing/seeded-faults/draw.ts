import { seeded } from '../../events/seeded.ts';
import type { Fault } from './fault.ts';
import { faultsIn } from './mutations.ts';

const ROOMS = ['events', 'kb', 'actors', 'services'];

/**
 * Draws faults, the same for the same seed and code: each folder in turn, in it any kind of fault, and of that kind
 * any. No line has two.
 */
export function drawFaults(sources: ReadonlyMap<string, string>, count: number, seed: number): Fault[] {
  const random = seeded(seed);
  const any = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const rooms = ROOMS.map((room) => {
    const files = [...sources].filter(([file]) => file.startsWith(`${room}/`));
    return Object.entries(
      Object.groupBy(
        files.flatMap(([file, code]) => faultsIn(file, code)),
        ({ kind }) => kind,
      ),
    );
  });
  const drawn = new Map<string, Fault>();
  for (let n = 0; drawn.size < count; n++) {
    const [, faults] = any(rooms[n % rooms.length]!);
    const fault = any(faults!);
    const place = `${fault.file}:${fault.line}`;
    if (!drawn.has(place)) drawn.set(place, fault);
  }
  return [...drawn.values()];
}
