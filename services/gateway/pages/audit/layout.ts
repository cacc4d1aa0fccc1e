import { LABEL_HEIGHT, Labels, labelOf, type Label } from './labels.ts';
import type { Machine } from './service.ts';

export type Edge = Machine['transitions'][number];
type DrawnEdge = Edge & { readonly path: string };

type Side = 'left' | 'right';

/** Arrows of one event to one state, and where their line runs. */
interface Lane {
  readonly side: Side;
  readonly edges: readonly Edge[];
  readonly to: string;
  /** Rows. */
  readonly first: number;
  readonly last: number;
  /** Counted from the column outwards. */
  readonly index: number;
  readonly x: number;
}

export interface StateBox {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The height at which each lane meets it. */
  readonly ports: ReadonlyMap<Lane, number>;
}

interface Layout {
  readonly nodes: readonly StateBox[];
  readonly edges: readonly DrawnEdge[];
  readonly labels: readonly Label[];
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Where the parts of a state diagram go. States stand one below the other: by distance from the initial one, final ones
 * last. What leads to the next row goes straight down; what skips rows goes in a lane on the right, what leads back in a
 * lane on the left. Arrows of one event to one state share a lane and its name, so that a table of forty transitions
 * stays a dozen lines.
 */
const NODE_WIDTH = 140;
const HALF = NODE_WIDTH / 2;
const NODE_HEIGHT = 32;
const GAP = 46;
const PORT = 11;
const FIRST_LANE = 34;
const LANE = 22;
const LOOP = 18;
/** Between a line and its name. */
const BESIDE = 8;
const MARGIN = 12;
const START = 30;

/** Everything in pixels, the middle of the column at x = 0. */
export function layOut({ initial, states, transitions }: Machine): Layout {
  const names = inOrder(initial, states, transitions);
  const rows = new Map(names.map((name, i) => [name, i]));
  const placed = transitions.flatMap((edge) => {
    const [from, to] = [rows.get(edge.from), rows.get(edge.to)];
    return from === undefined || to === undefined ? [] : [{ edge, from, to, kind: kindOf(from, to) }];
  });
  const of = (kind: Kind) => placed.filter((arrow) => arrow.kind === kind);
  const [straight, loops] = (['straight', 'loop'] as const).map((kind) => of(kind).map(({ edge }) => edge));
  const lanes = placeLanes([...lanesOf('right', of('right')), ...lanesOf('left', of('left'))], straight!);
  const nodes = placeNodes(names, lanes, new Set(loops!.map(({ from }) => from)));
  const at = (name: string) => nodes[rows.get(name)!]!;
  const labels = new Labels();
  const drawn = [
    ...drawStraight(straight!, at, labels),
    ...drawLoops(loops!, at, labels),
    ...lanes.flatMap((lane) => drawLane(lane, at, nodes, labels)),
  ];
  return { nodes, edges: drawn, labels: labels.placed, ...boundsOf(nodes, labels.placed, lanes) };
}

type At = (name: string) => StateBox;

/** Down the middle, with its name beside it. */
function drawStraight(edges: readonly Edge[], at: At, labels: Labels): DrawnEdge[] {
  for (const [from, same] of Map.groupBy(edges, ({ from }) => from)) {
    const node = at(from);
    same.forEach((edge, i) => {
      const y = node.y + node.height + GAP / 2 + (i - (same.length - 1) / 2) * LABEL_HEIGHT;
      labels.put(labelOf([edge], BESIDE, y, 'start'));
    });
  }
  return edges.map((edge) => {
    const above = at(edge.from);
    return { ...edge, path: `M0 ${above.y + above.height} V${at(edge.to).y}` };
  });
}

const middle = ({ y }: StateBox): number => y + NODE_HEIGHT / 2;

/** Out of the left side and back in. */
function drawLoops(edges: readonly Edge[], at: At, labels: Labels): DrawnEdge[] {
  for (const [name, same] of Map.groupBy(edges, ({ from }) => from)) {
    same.forEach((edge, i) =>
      labels.put(labelOf([edge], -HALF - LOOP - 4, middle(at(name)) + i * LABEL_HEIGHT, 'end')),
    );
  }
  return edges.map((edge) => {
    const y = middle(at(edge.from));
    const out = -HALF - LOOP * 1.3;
    return { ...edge, path: `M${-HALF} ${y - 8} C${out} ${y - 12} ${out} ${y + 12} ${-HALF} ${y + 8}` };
  });
}

/** Each out of its state, along the lane, and into the state that all of them lead to. */
function drawLane(lane: Lane, at: At, nodes: readonly StateBox[], labels: Labels): DrawnEdge[] {
  const { x, edges, to } = lane;
  const side = Math.sign(x) * HALF;
  const end = at(to).ports.get(lane)!;
  labels.put(...slotsOf(lane, nodes));
  return edges.map((edge) => ({ ...edge, path: bend(side, at(edge.from).ports.get(lane)!, x, end) }));
}

function inOrder(initial: string, states: Machine['states'], transitions: Machine['transitions']): string[] {
  const distance = new Map([[initial, 0]]);
  for (const [name, steps] of distance) {
    for (const { from, to } of transitions) {
      if (from === name && !distance.has(to)) distance.set(to, steps + 1);
    }
  }
  // Final states keep the order of their table: how far they are says little.
  const rank = ({ name, final }: Machine['states'][number]) =>
    final ? 1_000 : Math.min(distance.get(name) ?? 999, 999);
  return states.toSorted((a, b) => rank(a) - rank(b)).map(({ name }) => name);
}

type Kind = Side | 'straight' | 'loop';

interface Arrow {
  readonly edge: Edge;
  /** Rows. */
  readonly from: number;
  readonly to: number;
}

function kindOf(from: number, to: number): Kind {
  if (from === to) return 'loop';
  if (to === from + 1) return 'straight';
  return to > from ? 'right' : 'left';
}

/** Short ones inside; two that never meet share a column. */
function lanesOf(side: Side, arrows: readonly Arrow[]): Omit<Lane, 'x'>[] {
  const groups = Map.groupBy(arrows, ({ edge }) => `${edge.event} ${edge.to}`);
  const unplaced = [...groups.values()].map((arrows) => {
    const rows = arrows.flatMap(({ from, to }) => [from, to]);
    const edges = arrows.map(({ edge }) => edge);
    return { side, edges, to: edges[0]!.to, first: Math.min(...rows), last: Math.max(...rows) };
  });
  unplaced.sort((a, b) => a.last - a.first - (b.last - b.first) || a.first - b.first);
  const lanes: Omit<Lane, 'x'>[] = [];
  for (const lane of unplaced) {
    const beside = lanes.filter(({ first, last }) => first <= lane.last && last >= lane.first);
    let index = 0;
    while (beside.some((other) => other.index === index)) index += 1;
    lanes.push({ ...lane, index });
  }
  return lanes;
}

/** The names of what goes straight down stand between the column and the lanes on the right. */
function placeLanes(lanes: readonly Omit<Lane, 'x'>[], straight: readonly Edge[]): Lane[] {
  const names = straight.map((edge) => labelOf([edge], BESIDE, 0, 'start').width + 2 * BESIDE - HALF);
  const right = HALF + Math.max(FIRST_LANE, ...names);
  return lanes.map((lane) => ({
    ...lane,
    x: lane.side === 'right' ? right + lane.index * LANE : -HALF - FIRST_LANE - lane.index * LANE,
  }));
}

/** Each lane has its own height at a state: ordered so that no line crosses another without need. */
function placeNodes(
  names: readonly string[],
  lanes: readonly Lane[],
  looping: ReadonlySet<string>,
): StateBox[] {
  let y = START;
  return names.map((name) => {
    const right = portsOf(name, lanes, 'right');
    const left = portsOf(name, lanes, 'left').reverse();
    // A loop has the left side to itself where it can.
    const room = Math.max(right.length, left.length + (looping.has(name) ? 2 : 0));
    const height = Math.max(NODE_HEIGHT, (room + 1) * PORT);
    const ports = new Map<Lane, number>();
    right.forEach((lane, i) => ports.set(lane, y + ((i + 1) * height) / (right.length + 1)));
    left.forEach((lane, i) => {
      const from = looping.has(name) ? y + NODE_HEIGHT - 4 : y;
      ports.set(lane, from + ((i + 1) * (y + height - from)) / (left.length + 1));
    });
    const node = { name, x: -HALF, y, width: NODE_WIDTH, height, ports };
    y += height + GAP;
    return node;
  });
}

/** From where the lanes come from: those that end here, inner ones first; then those that begin, outer ones first. */
function portsOf(name: string, lanes: readonly Lane[], side: Side): Lane[] {
  const here = lanes.filter((lane) => lane.side === side).toSorted((a, b) => a.index - b.index);
  const begins = ({ edges }: Lane) => edges.some(({ from }) => from === name);
  return [...here.filter(({ to }) => to === name), ...here.filter(begins).reverse()];
}

/** Out of a side, along the lane, and back in. */
function bend(side: number, start: number, x: number, end: number): string {
  const down = Math.sign(end - start);
  const r = Math.min(7, Math.abs(end - start) / 2);
  const out = x > side ? 1 : -1;
  return (
    `M${side} ${start} H${x - out * r} Q${x} ${start} ${x} ${start + down * r} ` +
    `V${end - down * r} Q${x} ${end} ${x - out * r} ${end} H${side}`
  );
}

/** Where the name of a lane may stand: beside it, between two rows, nearest to where it leads first. */
function slotsOf(
  { side, edges, x, first, last }: Lane,
  nodes: readonly StateBox[],
): readonly [Label, ...Label[]] {
  const anchor = side === 'right' ? 'start' : 'end';
  const out = side === 'right' ? 5 : -5;
  const gaps = nodes
    .slice(first, last)
    .flatMap(({ y, height }) => [0.3, 0.7].map((part) => y + height + GAP * part));
  if (side === 'right') gaps.reverse();
  const [nearest, ...others] = gaps.map((y) => labelOf(edges, x + out, y, anchor));
  return [nearest!, ...others];
}

function boundsOf(
  nodes: readonly StateBox[],
  labels: readonly Label[],
  lanes: readonly Lane[],
): Pick<Layout, 'left' | 'width' | 'height'> {
  const lines = lanes.map(({ x }) => x);
  const left = Math.min(-HALF, ...lines, ...labels.map(({ left }) => left)) - MARGIN;
  const right = Math.max(HALF, ...lines, ...labels.map(({ left, width }) => left + width)) + MARGIN;
  const last = nodes.at(-1)!;
  return { left, width: right - left, height: last.y + last.height + MARGIN };
}
