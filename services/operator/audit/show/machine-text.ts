import type { StoryMachine } from '../../../audit/story/story.ts';
import { drawArcs, gutterOf } from './arcs.ts';
import { grouped } from '../../figures.ts';
import { padEnd, wrap, type Paint, type Style } from '../../terminal.ts';

type Way = StoryMachine['transitions'][number];

interface Note {
  readonly text: string;
  readonly style: Style;
}

/** One line: part of a box, or of what leads to the next one, and what is said beside it. */
interface Row {
  readonly drawn: string;
  readonly note?: Note | undefined;
}

const PASSED: Style = 'green';

/** Columns for the words beside a box, at the least: before they get fewer, a way is not drawn but in these words. */
const MIN_WORDS = 14;
const MAX_LANES = 6;

/**
 * The machine as far as its story went: the states that were passed as boxes, in the order in which they were first
 * reached, what led from one to the next between them, other ways that were taken at the left; beside each, what else
 * could have followed. Below: the states that were never reached, and the way as a line.
 */
export function formatMachine(machine: StoryMachine, width: number, paint: Paint): string[] {
  const passed = [...new Set(machine.path)];
  const around = unique(machine.transitions.filter((way) => isAround(way, passed)));
  const inner = Math.max(...passed.map((state) => state.length)) + 4;
  const room = Math.floor((width - inner - 5 - MIN_WORDS) / 2);
  const lanes = Math.max(0, Math.min(around.length, MAX_LANES, room));
  const side = width - gutterOf(lanes) - inner - 4;
  const places = new Map<string, number>();
  const rows: Row[] = [];
  passed.forEach((state, i) => {
    const after = passed[i + 1];
    const links = taken(machine).filter(({ from, to }) => from === state && to === after);
    const isLinked = i > 0 && taken(machine).some(({ from, to }) => from === passed[i - 1] && to === state);
    places.set(state, rows.length + 1);
    rows.push(
      ...box(state, { inner, isLinked, leadsOn: links.length > 0 }, notesOf(machine, state, passed, side)),
    );
    const stem = after === undefined ? '' : '   │';
    for (const link of links) rows.push({ drawn: stem, note: { text: named(link), style: PASSED } });
    if (links.length === 0 && after !== undefined) rows.push({ drawn: '' });
  });
  const arcs = drawArcs(
    around.map(({ from, to }) => ({ from: places.get(from)!, to: places.get(to)! })),
    rows.length,
    lanes,
  );
  const lines = rows.map(({ drawn, note }, i) => {
    const isLink = note !== undefined && drawn === '   │';
    const text = note === undefined ? '' : ` ${isLink ? '' : ' '}${paint(note.style, note.text)}`;
    return `${paint(PASSED, arcs[i]! + (text === '' || isLink ? drawn : padEnd(drawn, inner + 2)))}${text}`;
  });
  return [...lines, '', ...unreached(machine, width, paint), ...pathOf(machine, width, paint)];
}

function box(
  state: string,
  { inner, isLinked, leadsOn }: { inner: number; isLinked: boolean; leadsOn: boolean },
  notes: readonly Note[],
): Row[] {
  const edge = '═'.repeat(inner - 3);
  const rows: Row[] = [
    { drawn: `╔══${isLinked ? '▼' : '═'}${edge}╗` },
    { drawn: `║ ${padEnd(`* ${state}`, inner - 2)} ║` },
    { drawn: `╚══${leadsOn ? '╤' : '═'}${edge}╝` },
  ];
  notes.forEach((note, i) => (rows[i + 1] = { drawn: rows[i + 1]?.drawn ?? (leadsOn ? '   ┊' : ''), note }));
  return rows;
}

function notesOf(machine: StoryMachine, state: string, passed: readonly string[], side: number): Note[] {
  const notes: Note[] = [];
  const say = (text: string, style: Style): void => {
    for (const line of wrap(text, side)) notes.push({ text: line, style });
  };
  const isFinal = machine.states.some(({ name, final }) => name === state && final);
  if (state === machine.path.at(-1)) say(isFinal ? '■ final state' : '◆ current state', 'bold');
  const ways = machine.transitions.filter(({ from }) => from === state);
  for (const way of ways) {
    if (way.taken > 0 && way.to === state) say(`↺ ${named(way)}`, PASSED);
    else if (isAround(way, passed)) say(`=> ${way.to}: ${named(way)}`, PASSED);
  }
  const others = ways.filter(
    (way) => way.to !== state && !ways.some((one) => one.to === way.to && one.taken > 0),
  );
  const names = [...new Set(others.map(({ to }) => to))];
  if (names.length > 0) say(`or: ${names.join(', ')}`, 'dim');
  return notes;
}

const taken = ({ transitions }: StoryMachine): Way[] => transitions.filter((way) => way.taken > 0);

/** Taken, and not to the box below nor to the same one. */
function isAround({ from, to, taken: times }: Way, passed: readonly string[]): boolean {
  return times > 0 && from !== to && passed.indexOf(to) !== passed.indexOf(from) + 1;
}

function unique(ways: readonly Way[]): Way[] {
  return [...new Map(ways.map((way) => [`${way.from} ${way.to}`, way])).values()];
}

const named = ({ event, taken: times }: Way): string => (times > 1 ? `${event} × ${grouped(times)}` : event);

function unreached({ states, path }: StoryMachine, width: number, paint: Paint): string[] {
  const names = states.map(({ name }) => name).filter((name) => !path.includes(name));
  if (names.length === 0) return [];
  return wrap(`never reached: ${names.join(', ')}`, width).map((line) => paint('dim', line));
}

/** The longest ways by their first and last steps. */
const MAX_STEPS = 40;

function pathOf({ path }: StoryMachine, width: number, paint: Paint): string[] {
  const half = MAX_STEPS / 2;
  const steps =
    path.length <= MAX_STEPS
      ? path
      : [...path.slice(0, half), `(${grouped(path.length - MAX_STEPS)} more)`, ...path.slice(-half)];
  return wrap(`path: ${steps.join(' => ')}`, width).map((line) => paint('bold', line));
}
