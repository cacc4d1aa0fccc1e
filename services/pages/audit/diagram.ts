import { el, items } from '../dom.ts';
import { BOX, layOut, START } from './diagram-layout.ts';
import type { Machine } from './api.ts';
import { table, type Column } from './table.ts';
import { texts } from './texts.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** The machine with the path taken: a drawing with its end coloured by `outcome`, in words, and as a table. */
export function renderDiagram(machine: Machine, outcome: string): HTMLElement[] {
  const { path, states } = machine;
  const seen = new Set(path);
  const missed = states.map(({ name }) => name).filter((name) => !seen.has(name));
  const words = [texts.pathTaken(path.join(' → '))];
  if (missed.length > 0) words.push(texts.notReached(missed.join(', ')));
  return [
    el('ol.path', { ariaLabel: texts.path }, items(path.map((state) => el('code', state)))),
    el(
      'div.drawing',
      { dataset: { state: outcome }, tabIndex: 0, role: 'group', ariaLabel: texts.diagram },
      draw(machine, texts.machine(machine.name), words.join(' ')),
    ),
    el('details.details', el('summary', texts.transitions), transitionTable(machine)),
  ];
}

function draw(machine: Machine, title: string, words: string): SVGElement {
  const { nodes, edges, labels, left, width, height } = layOut(machine);
  const seen = new Set(machine.path);
  const final = new Set(machine.states.filter(({ final }) => final).map(({ name }) => name));
  // Arrows that were taken are drawn last, on top.
  const order = edges.toSorted((a, b) => Math.min(a.taken, 1) - Math.min(b.taken, 1));
  return svg(
    'svg',
    {
      class: 'diagram',
      viewBox: [left, 0, width, height].join(' '),
      width,
      height,
      role: 'img',
      'aria-labelledby': 'diagram-title diagram-words',
    },
    svg('title', { id: 'diagram-title' }, title),
    svg('desc', { id: 'diagram-words' }, words),
    svg('defs', {}, arrowHead('arrow'), arrowHead('arrow-taken')),
    svg('circle', { class: 'start', cx: 0, cy: 8, r: 5 }),
    svg('path', { class: 'edge taken', d: `M0 13 V${START}`, 'marker-end': 'url(#arrow-taken)' }),
    ...order.map(({ from, to, event, taken, path }) =>
      svg(
        'path',
        {
          class: taken > 0 ? 'edge taken' : 'edge',
          d: path,
          'marker-end': taken > 0 ? 'url(#arrow-taken)' : 'url(#arrow)',
          'data-edge': `${from} ${event} ${to}`,
          'data-taken': taken,
        },
        svg('title', {}, `${from} → ${to}: ${event}, ${texts.times(taken)}`),
      ),
    ),
    ...nodes.map(({ name, y }) => drawNode(name, y, stateOf(name, machine.path, seen), final.has(name))),
    ...labels.map(({ text, taken, x, y, anchor }) =>
      svg('text', { class: taken ? 'label taken' : 'label', x, y: y + 4, 'text-anchor': anchor }, text),
    ),
  );
}

function stateOf(name: string, path: readonly string[], seen: ReadonlySet<string>): string {
  if (name === path.at(-1)) return 'node now';
  return seen.has(name) ? 'node seen' : 'node';
}

function drawNode(name: string, y: number, state: string, final: boolean): SVGElement {
  const { x, width, height } = BOX;
  return svg(
    'g',
    { class: state, 'data-state': name },
    svg('rect', { x, y, width, height, rx: 9 }),
    final ? svg('rect', { x: x + 3, y: y + 3, width: width - 6, height: height - 6, rx: 6.5 }) : null,
    svg('text', { x: 0, y: y + height / 2 + 4.5, 'text-anchor': 'middle' }, name),
  );
}

function arrowHead(id: string): SVGElement {
  return svg(
    'marker',
    {
      id,
      viewBox: '0 0 8 8',
      refX: 7.5,
      refY: 4,
      markerWidth: 8,
      markerHeight: 8,
      orient: 'auto',
      markerUnits: 'userSpaceOnUse',
    },
    svg('path', { d: 'M0 0.5 L8 4 L0 7.5 z' }),
  );
}

function transitionTable({ transitions }: Machine): HTMLElement {
  const columns: Column<Machine['transitions'][number]>[] = [
    [texts.transitionFrom, ({ from }) => el('code', from)],
    [texts.transitionEvent, ({ event }) => el('code', event)],
    [texts.transitionTo, ({ to }) => el('code', to)],
    [texts.transitionTaken, ({ taken }) => (taken > 0 ? el('strong', texts.times(taken)) : '–')],
  ];
  return table(columns, transitions);
}

function svg(
  tag: keyof SVGElementTagNameMap,
  attributes: Readonly<Record<string, string | number>>,
  ...children: (SVGElement | string | null)[]
): SVGElement {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children.filter((child) => child !== null));
  return node;
}
