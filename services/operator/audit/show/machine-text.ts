import type { StoryMachine } from '../../../audit/story/machine-walk.ts';
import { grouped } from '../../number-format.ts';
import { wrap, type Paint } from '../../terminal.ts';

/**
 * The machine of a story: the states that it passed in the order in which they were reached, each with the transitions
 * that were taken from it and those that were possible. Below are the states that were never reached, and the path as
 * one line.
 */
export function formatMachine(
  { states, transitions, path }: StoryMachine,
  width: number,
  paint: Paint,
): string[] {
  const passed = [...new Set(path)];
  const indent = Math.max(...passed.map((state) => state.length)) + 4;
  const lines = passed.flatMap((state) => {
    const ways = transitions.filter(({ from }) => from === state);
    const taken = ways.filter((way) => way.taken > 0);
    const others = [...new Set(ways.map(({ to }) => to))].filter(
      (to) => to !== state && !taken.some((way) => way.to === to),
    );
    const isFinal = states.some(({ name, final }) => name === state && final);
    const said = [
      ...(state === path.at(-1) ? [isFinal ? '■ final state' : '◆ current state'] : []),
      ...taken.map((way) => `${way.event}${way.taken > 1 ? ` × ${grouped(way.taken)}` : ''} => ${way.to}`),
      ...(others.length === 0 ? [] : [`or: ${others.join(', ')}`]),
    ].join('; ');
    return wrap(said, width - indent).map(
      (line, i) => paint('green', (i === 0 ? `* ${state}` : '').padEnd(indent)) + line,
    );
  });
  const unreached = states.map(({ name }) => name).filter((name) => !path.includes(name));
  const never = unreached.length === 0 ? [] : wrap(`never reached: ${unreached.join(', ')}`, width);
  return [
    ...lines,
    '',
    ...never.map((line) => paint('dim', line)),
    ...wrap(`path: ${stepsOf(path).join(' => ')}`, width).map((line) => paint('bold', line)),
  ];
}

/** Longer paths are shown by their first and last steps. */
const MAX_STEPS = 40;

function stepsOf(path: readonly string[]): readonly string[] {
  if (path.length <= MAX_STEPS) return path;
  const half = MAX_STEPS / 2;
  return [...path.slice(0, half), `(${grouped(path.length - MAX_STEPS)} more)`, ...path.slice(-half)];
}
