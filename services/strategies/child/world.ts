/** The globals of the language itself. All others that Node adds are removed: network, files, timers, process. */
const KEPT = new Set(
  `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Math JSON Map Set WeakMap
  WeakSet BigInt Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError Date Promise RegExp
  Reflect Proxy ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array
  Float16Array Float32Array Float64Array BigInt64Array BigUint64Array Iterator isNaN isFinite decodeURI decodeURIComponent
  encodeURI encodeURIComponent escape unescape globalThis console structuredClone`.split(/\s+/),
);

const noClock = (): never => {
  throw new Error('a strategy has no clock: the day is day.date');
};

/** A `Date` without the clock, for calculations with given days. */
const CalendarDate = new Proxy(Date, {
  construct: (target, given, self) =>
    given.length === 0 ? noClock() : Reflect.construct(target, given, self),
  apply: noClock,
});

/** Gives a strategy that reads this clock the reason why it may not, instead of `performance is not defined`. */
const performance = new Proxy({}, { get: noClock });

async function* later(): AsyncGenerator<number> {
  yield 1;
}
function* now(): Generator<number> {
  yield 1;
}

/**
 * Makes this process a world in which a strategy has only its files and its input: no network, no files, no clock, no
 * timers, seeded random numbers, and frozen globals. It guards against mistakes, not against malice. `print` receives
 * the output of the console.
 */
export function closeWorld(print: (text: string) => void, random: () => number): void {
  const world = globalThis as unknown as Record<string, unknown>;
  const say = (...said: unknown[]): void => print(said.map(textOf).join(' '));
  for (const name of Object.getOwnPropertyNames(world)) {
    if (!KEPT.has(name)) Reflect.deleteProperty(world, name);
  }
  world['console'] = { log: say, info: say, warn: say, error: say, debug: say };
  Date.now = noClock;
  world['Date'] = CalendarDate;
  world['performance'] = performance;
  // The constructor of a date must not lead to the clock either.
  Reflect.defineProperty(Date.prototype, 'constructor', { value: CalendarDate });
  Math.random = random;
  for (const name of Object.getOwnPropertyNames(world)) freeze(world[name]);
  // Prototypes that cannot be reached by a global.
  for (const hidden of [
    async () => 1,
    now,
    now(),
    later,
    later(),
    [][Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''[Symbol.iterator](),
    ''.matchAll(/a/g),
    Iterator.from([]).map((value) => value),
  ]) {
    freeze(Object.getPrototypeOf(hidden));
  }
  Object.freeze(world);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

const frozen = new Set<unknown>();

/** Freezes an object and everything that it leads to. */
export function freeze(value: unknown): void {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return;
  if (value === globalThis || frozen.has(value)) return;
  frozen.add(value);
  for (const key of Reflect.ownKeys(value)) {
    const property = Object.getOwnPropertyDescriptor(value, key);
    for (const part of Object.values(property ?? {})) freeze(part);
  }
  freeze(Object.getPrototypeOf(value));
  Object.freeze(value);
}
