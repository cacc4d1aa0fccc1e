/**
 * Where the parts of a state diagram go. States stand one below the other: by distance from the initial one, final ones
 * last. What leads to the next row goes straight down; what skips rows goes in a lane on the right, what leads back in a
 * lane on the left. Arrows of one event to one state share a lane and its name, so that a table of forty transitions
 * stays a dozen lines.
 */
const NODE_WIDTH = 140;
const NODE_HEIGHT = 32;
const GAP = 46;
const PORT = 11;
const FIRST_LANE = 34;
const LANE = 22;
const LOOP = 18;
const LABEL_HEIGHT = 15;
const CHARACTER = 6.9;
const MARGIN = 12;
const START = 30;

/** Everything in pixels, the middle of the column at x = 0. */
export function layOut({ initial, states, transitions }) {
  const names = inOrder(initial, states, transitions);
  const row = new Map(names.map((name, i) => [name, i]));
  const known = transitions.filter(({ from, to }) => row.has(from) && row.has(to));
  const kinds = Map.groupBy(known, ({ from, to }) => kindOf(row.get(from), row.get(to)));
  const lanes = ['right', 'left'].flatMap((side) => lanesOf(side, kinds.get(side) ?? [], row));
  // Names of what goes straight down stand between the column and the lanes.
  const widest = Math.max(
    0,
    ...(kinds.get('straight') ?? []).map((edge) => label([edge], 8, 0, 'start').width),
  );
  const clear = Math.max(FIRST_LANE, 8 + widest + 10 - NODE_WIDTH / 2);
  const laneAt = ({ side, index }) =>
    side === 'right' ? NODE_WIDTH / 2 + clear + index * LANE : -NODE_WIDTH / 2 - FIRST_LANE - index * LANE;
  const nodes = placeNodes(names, lanes, new Set((kinds.get('loop') ?? []).map(({ from }) => from)));
  const at = (name) => nodes[row.get(name)];

  const taken = new Placed();
  const edges = [];
  for (const edge of kinds.get('straight') ?? []) {
    const [above, below] = [at(edge.from), at(edge.to)];
    edges.push({ ...edge, path: `M0 ${above.y + above.height} V${below.y}` });
  }
  const labels = [];
  for (const [, same] of Map.groupBy(kinds.get('straight') ?? [], ({ from }) => from)) {
    const node = at(same[0].from);
    same.forEach((edge, i) => {
      const y = node.y + node.height + GAP / 2 + (i - (same.length - 1) / 2) * LABEL_HEIGHT;
      labels.push(taken.put(label([edge], 8, y, 'start')));
    });
  }
  for (const [name, same] of Map.groupBy(kinds.get('loop') ?? [], ({ from }) => from)) {
    const node = at(name);
    const x = -NODE_WIDTH / 2;
    const y = node.y + NODE_HEIGHT / 2;
    for (const edge of same) edges.push({ ...edge, path: loop(x, y) });
    same.forEach((edge, i) =>
      labels.push(taken.put(label([edge], x - LOOP - 4, y + i * LABEL_HEIGHT, 'end'))),
    );
  }
  for (const lane of lanes) {
    const sign = lane.side === 'right' ? 1 : -1;
    const x = laneAt(lane);
    const target = at(lane.to);
    const end = target.ports.get(lane);
    for (const edge of lane.edges) {
      const start = at(edge.from).ports.get(lane);
      edges.push({ ...edge, path: bend((sign * NODE_WIDTH) / 2, start, x, end) });
    }
    labels.push(taken.put(...slots(lane, x + sign * 5, nodes)));
  }
  return { nodes, edges, labels, ...boundsOf(nodes, labels, lanes.map(laneAt)) };
}

function inOrder(initial, states, transitions) {
  const distance = new Map([[initial, 0]]);
  for (const [name, steps] of distance) {
    for (const { from, to } of transitions) {
      if (from === name && !distance.has(to)) distance.set(to, steps + 1);
    }
  }
  // Final states keep the order of their table: how far they are says little.
  const rank = ({ name, final }) => (final ? 1_000 : Math.min(distance.get(name) ?? 999, 999));
  return states.toSorted((a, b) => rank(a) - rank(b)).map(({ name }) => name);
}

function kindOf(from, to) {
  if (from === to) return 'loop';
  if (to === from + 1) return 'straight';
  return to > from ? 'right' : 'left';
}

/** Short ones inside; two that never meet share a column. */
function lanesOf(side, edges, row) {
  const lanes = [...Map.groupBy(edges, ({ event, to }) => `${event} ${to}`).values()].map((edges) => {
    const rows = edges.flatMap(({ from, to }) => [row.get(from), row.get(to)]);
    return { side, edges, to: edges[0].to, first: Math.min(...rows), last: Math.max(...rows) };
  });
  lanes.sort((a, b) => a.last - a.first - (b.last - b.first) || a.first - b.first);
  for (const lane of lanes) {
    const beside = new Set(
      lanes
        .filter(({ index, first, last }) => index !== undefined && first <= lane.last && last >= lane.first)
        .map(({ index }) => index),
    );
    lane.index = 0;
    while (beside.has(lane.index)) lane.index += 1;
  }
  return lanes;
}

/** Each lane has its own height at a state: ordered so that no line crosses another without need. */
function placeNodes(names, lanes, looping) {
  let y = START;
  return names.map((name) => {
    const right = portsOf(name, lanes, 'right');
    const left = portsOf(name, lanes, 'left').reverse();
    // A loop has the left side to itself where it can.
    const room = Math.max(right.length, left.length + (looping.has(name) ? 2 : 0));
    const height = Math.max(NODE_HEIGHT, (room + 1) * PORT);
    const ports = new Map();
    right.forEach((lane, i) => ports.set(lane, y + ((i + 1) * height) / (right.length + 1)));
    left.forEach((lane, i) => {
      const from = looping.has(name) ? y + NODE_HEIGHT - 4 : y;
      ports.set(lane, from + ((i + 1) * (y + height - from)) / (left.length + 1));
    });
    const node = { name, x: -NODE_WIDTH / 2, y, width: NODE_WIDTH, height, ports };
    y += height + GAP;
    return node;
  });
}

/** From where the lanes come from: those that end here, inner ones first; then those that begin, outer ones first. */
function portsOf(name, lanes, side) {
  const here = lanes.filter((lane) => lane.side === side).toSorted((a, b) => a.index - b.index);
  const begins = ({ edges }) => edges.some(({ from }) => from === name);
  return [...here.filter(({ to }) => to === name), ...here.filter(begins).reverse()];
}

/** Out of a side, along the lane, and back in. */
function bend(side, start, x, end) {
  const down = Math.sign(end - start);
  const r = Math.min(7, Math.abs(end - start) / 2);
  const out = x > side ? 1 : -1;
  return (
    `M${side} ${start} H${x - out * r} Q${x} ${start} ${x} ${start + down * r} ` +
    `V${end - down * r} Q${x} ${end} ${x - out * r} ${end} H${side}`
  );
}

function loop(x, y) {
  return `M${x} ${y - 8} C${x - LOOP * 1.3} ${y - 12} ${x - LOOP * 1.3} ${y + 12} ${x} ${y + 8}`;
}

/** Where the name of a lane may stand: beside it, between two rows, nearest to where it leads first. */
function slots(lane, x, nodes) {
  const anchor = lane.side === 'right' ? 'start' : 'end';
  const gaps = [];
  for (let i = lane.first; i < lane.last; i += 1) {
    const top = nodes[i].y + nodes[i].height;
    gaps.push(top + GAP * 0.3, top + GAP * 0.7);
  }
  if (lane.side === 'right') gaps.reverse();
  return gaps.map((y) => label(lane.edges, x, y, anchor));
}

function label(edges, x, y, anchor) {
  const count = edges.reduce((sum, { taken }) => sum + taken, 0);
  const text = count > 1 ? `${edges[0].event} ×${count}` : edges[0].event;
  const width = text.length * CHARACTER;
  return { text, taken: count > 0, x, y, anchor, width, left: anchor === 'end' ? x - width : x };
}

/** Names that have a place: the next takes the first of its choices that is free, or the first of all. */
class Placed {
  #labels = [];

  put(...choices) {
    const free = choices.find((choice) => !this.#labels.some((other) => overlap(choice, other)));
    this.#labels.push(free ?? choices[0]);
    return free ?? choices[0];
  }
}

function overlap(a, b) {
  return Math.abs(a.y - b.y) < LABEL_HEIGHT && a.left < b.left + b.width + 6 && b.left < a.left + a.width + 6;
}

function boundsOf(nodes, labels, lanes) {
  const half = NODE_WIDTH / 2;
  const left = Math.min(-half, ...lanes, ...labels.map(({ left }) => left)) - MARGIN;
  const right = Math.max(half, ...lanes, ...labels.map(({ left, width }) => left + width)) + MARGIN;
  const last = nodes.at(-1);
  return { left, width: right - left, height: last.y + last.height + MARGIN };
}
