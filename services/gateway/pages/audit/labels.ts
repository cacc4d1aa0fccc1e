import type { Edge } from './layout.ts';

export interface Label {
  readonly text: string;
  readonly taken: boolean;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'end';
  readonly width: number;
  readonly left: number;
}

export const LABEL_HEIGHT = 15;
/** Of a bold letter; measured nowhere, so that a drawing needs no page. */
const CHARACTER = 6.9;
const APART = 6;

/** The name of arrows that share it, with how often they were taken where that is more than once. */
export function labelOf(edges: readonly Edge[], x: number, y: number, anchor: Label['anchor']): Label {
  const count = edges.reduce((sum, { taken }) => sum + taken, 0);
  const { event } = edges[0]!;
  const text = count > 1 ? `${event} ×${count}` : event;
  const width = text.length * CHARACTER;
  return { text, taken: count > 0, x, y, anchor, width, left: anchor === 'end' ? x - width : x };
}

/** Names that have a place: the next takes the first of its choices that is free, or the first of all. */
export class Labels {
  readonly placed: Label[] = [];

  put(...choices: readonly [Label, ...Label[]]): void {
    const free = choices.find((choice) => !this.placed.some((other) => overlap(choice, other)));
    this.placed.push(free ?? choices[0]);
  }
}

function overlap(a: Label, b: Label): boolean {
  return (
    Math.abs(a.y - b.y) < LABEL_HEIGHT &&
    a.left < b.left + b.width + APART &&
    b.left < a.left + a.width + APART
  );
}
