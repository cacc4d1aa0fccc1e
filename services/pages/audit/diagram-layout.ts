import type { Machine } from './api.ts';

type Edge = Machine['transitions'][number];
type DrawnEdge = Edge & { readonly path: string };

/** The name of several equal arrows, with how often they were taken if more than once. */
interface Label {
  readonly text: string;
  readonly taken: boolean;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'end';
}

/** The box of each state. The middle of the column is at x = 0. All lengths are in pixels. */
export const BOX = { x: -70, width: 140, height: 32 };
const SIDE = BOX.width / 2;
export const START = 30;
const GAP = 46;
const LOOP = 18;
const LANE = 22;
/** The positions of the first lanes; the right one leaves space for the names of arrows that go straight down. */
const LANES_AT = { left: -SIDE - 34, right: SIDE + 64 };
/** The distance between two lines that leave a state. */
const PORT = 11;
/** The distance between a line and its name. */
const BESIDE = 6;
/** The width of a bold letter. It is a constant and not measured, so that a layout needs no page. */
const CHARACTER = 6.9;
const MARGIN = 12;

/**
 * Lays out the machine of an ask, the only one on this page; for another machine names could overlap. States are one
 * below the other in the order of the table. An arrow to the next row goes straight down, an arrow that skips rows
 * takes a lane on the right, and an arrow that leads back takes a lane on the left. Arrows with the same event and
 * target share a lane and its name.
 */
export function layOut({ states, transitions }: Machine) {
  const nodes = states.map(({ name }, row) => ({ name, y: START + row * (BOX.height + GAP) }));
  const rows = new Map(states.map(({ name }, row) => [name, row]));
  const topOf = (name: string) => nodes[rows.get(name)!]!.y;
  const stepsOf = ({ from, to }: Edge) => rows.get(to)! - rows.get(from)!;
  const spanOf = (edges: readonly Edge[]) => Math.max(...edges.map((edge) => Math.abs(stepsOf(edge))));

  const edges: DrawnEdge[] = [];
  const labels: Label[] = [];
  const lanes = { left: 0, right: 0 };
  function add(
    same: readonly Edge[],
    place: Pick<Label, 'x' | 'y' | 'anchor'>,
    pathOf: (edge: Edge) => string,
  ) {
    const taken = same.reduce((sum, edge) => sum + edge.taken, 0);
    const { event } = same[0]!;
    labels.push({ text: taken > 1 ? `${event} ×${taken}` : event, taken: taken > 0, ...place });
    edges.push(...same.map((edge) => ({ ...edge, path: pathOf(edge) })));
  }

  const groups = Map.groupBy(transitions, (edge) => `${kindOf(stepsOf(edge))} ${edge.event} ${edge.to}`);
  // Shorter arrows take the inner lanes.
  for (const same of [...groups.values()].sort((a, b) => spanOf(a) - spanOf(b))) {
    const kind = kindOf(stepsOf(same[0]!));
    const top = topOf(same[0]!.to);
    const middle = top + BOX.height / 2;
    if (kind === 'straight') {
      add(same, { x: BESIDE, y: top - GAP / 2, anchor: 'start' }, () => `M0 ${top - GAP} V${top}`);
    } else if (kind === 'loop') {
      const out = -SIDE - LOOP * 1.3;
      const path = `M${-SIDE} ${middle - 8} C${out} ${middle - 12} ${out} ${middle + 12} ${-SIDE} ${middle + 8}`;
      add(same, { x: -SIDE - LOOP - BESIDE, y: middle, anchor: 'end' }, () => path);
    } else {
      const out = kind === 'right' ? 1 : -1;
      const lane = lanes[kind]++;
      const x = LANES_AT[kind] + out * lane * LANE;
      const y = middle - (out * (BOX.height + 0.6 * GAP)) / 2;
      // Of two lines that leave a state, the line of the outer lane leaves further from the middle.
      const port = BOX.height / 2 - out * (lane - 0.5) * PORT;
      add(same, { x: x + out * BESIDE, y, anchor: out === 1 ? 'start' : 'end' }, ({ from }) =>
        bend(out * SIDE, topOf(from) + port, x, middle),
      );
    }
  }

  const widthOf = ({ text }: Label) => text.length * CHARACTER;
  const left = Math.min(
    -SIDE,
    ...labels.map((label) => label.x - (label.anchor === 'end' ? widthOf(label) : 0)),
  );
  const right = Math.max(
    SIDE,
    ...labels.map((label) => label.x + (label.anchor === 'start' ? widthOf(label) : 0)),
  );
  const height = nodes.at(-1)!.y + BOX.height + MARGIN;
  return { nodes, edges, labels, left: left - MARGIN, width: right - left + 2 * MARGIN, height };
}

function kindOf(steps: number): 'loop' | 'straight' | 'left' | 'right' {
  if (steps === 0) return 'loop';
  if (steps === 1) return 'straight';
  return steps > 0 ? 'right' : 'left';
}

/** A line out of the side of a box, along its lane, and into another box. */
function bend(side: number, start: number, x: number, end: number): string {
  const down = Math.sign(end - start);
  const r = Math.min(7, Math.abs(end - start) / 2);
  const out = Math.sign(side);
  return (
    `M${side} ${start} H${x - out * r} Q${x} ${start} ${x} ${start + down * r} ` +
    `V${end - down * r} Q${x} ${end} ${x - out * r} ${end} H${side}`
  );
}
