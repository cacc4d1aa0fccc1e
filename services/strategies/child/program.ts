import { hash } from 'node:crypto';
import { readSync, writeSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Day, Strategy } from '../../../actors/strategy/port.ts';
import { INDICATORS } from '../../../actors/strategy/indicators.ts';
import { dayOf, type Own } from '../day.ts';
import { Window } from '../past.ts';
import type { SessionLine } from '../protocol.ts';
import { StrategyFiles } from './files.ts';
import { closeWorld, freeze } from './world.ts';

// The process of one strategy's file: it answers each JSON line with one JSON line. It waits for nothing else, so no
// callback that the file leaves behind ever runs.

const file = pathToFileURL(process.argv[2]!);
const files = new StrategyFiles(file);

const decoder = new TextDecoder();
const chunk = new Uint8Array(1 << 16);
let read = '';

/** `null` at the end of the input. */
function nextLine(): string | null {
  for (;;) {
    const end = read.indexOf('\n');
    if (end >= 0) {
      const line = read.slice(0, end);
      read = read.slice(end + 1);
      return line;
    }
    const length = readSync(0, chunk);
    if (length === 0) return null;
    read += decoder.decode(chunk.subarray(0, length), { stream: true });
  }
}

const encoder = new TextEncoder();
const { stringify, parse } = JSON;

function write(to: 1 | 2, text: string): void {
  let left = encoder.encode(`${text}\n`);
  while (left.length > 0) left = left.subarray(writeSync(to, left));
}

/** A generator of random numbers with a seed (mulberry32). */
let seed = 0;
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}

const reply = (answer: unknown): void => write(1, stringify(answer) ?? '{}');
const exit = process.exit.bind(process);

function fail(error: unknown): void {
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${String(error)}`;
  reply({ error: { detail, ...files.placeOf(error) } });
}

/** Node's exit code of a process that has nothing left to do while its file still awaits something. */
const UNSETTLED = 13;
process.once('exit', (code) => {
  if (code === UNSETTLED) reply(failure('the file awaits a promise that never settles'));
});

closeWorld((text) => write(2, text), random);
// The objects that the strategy gets are frozen, because changes to them would be state that is not recorded.
freeze(INDICATORS);
freeze(Window.prototype);

interface Message extends SessionLine, Own {
  readonly type: 'hello' | 'begin' | 'session';
  readonly past: readonly SessionLine[];
}

let strategy: Strategy | undefined;
let window = new Window(1);
let parameters: Day['parameters'] = {};
let at: { file: string; line: number | null } = { file: fileURLToPath(file), line: null };

async function answerTo(message: Message): Promise<unknown> {
  if (message.type === 'hello') {
    const loaded = (await import(file.href)) as { readonly default?: Strategy };
    files.close();
    strategy = loaded.default;
    if (typeof strategy?.onSession !== 'function') {
      throw new TypeError('the file must have a default export with history and onSession');
    }
    at = { ...at, line: files.lineOf('onSession') };
    const { history, parameters, predictions } = strategy;
    return { history, parameters, predictions, hash: files.hash, ...at };
  }
  if (message.type === 'begin') {
    // Freezes these objects, because anything added to them would be lost with the process.
    window = new Window(strategy!.history);
    freeze(window);
    ({ parameters } = message);
    freeze(parameters);
    for (const session of message.past) window.push(session);
    return {};
  }
  return decide(message);
}

function decide(message: Message): unknown {
  // The past keeps these objects, and changes to them would be state that is not recorded.
  for (const bar of Object.values(message.bars)) Object.freeze(Object.freeze(bar).columns);
  seed = Number.parseInt(hash('sha256', message.date, 'hex').slice(0, 8), 16);
  const answer: unknown = strategy!.onSession(dayOf(message, { ...message, parameters }, window));
  if (answer instanceof Promise) return failure('onSession returned a promise; it must answer at once');
  const wrong = notJson(answer, 'the answer');
  return wrong === null ? (answer ?? {}) : failure(wrong);
}

const failure = (detail: string) => ({ error: { detail, ...at } });

/** JSON would turn the value into `null`, so the fault names it instead. */
function notJson(value: unknown, name: string, above: readonly object[] = []): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : `${name} is ${value}`;
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
    return `${name} is a ${typeof value}, which is not JSON`;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (value instanceof Map || value instanceof Set) return `${name} is a Map or a Set, which is not JSON`;
  if (above.includes(value)) return `${name} contains itself, which is not JSON`;
  for (const [key, each] of Object.entries(value)) {
    const path = Array.isArray(value) ? `${name}[${key}]` : `${name}.${key}`;
    const wrong = notJson(each, path, [...above, value]);
    if (wrong !== null) return wrong;
  }
  return null;
}

for (let line = nextLine(); line !== null; line = nextLine()) {
  try {
    const answer = await answerTo(parse(line) as Message);
    reply(files.refusal === null ? answer : failure(files.refusal));
  } catch (error) {
    fail(error);
  }
}
exit(0);
