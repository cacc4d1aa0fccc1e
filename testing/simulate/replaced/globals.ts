import { playing, type Happening } from '../simulation.ts';

/** A timer of the virtual clock with the methods that programs use. */
class VirtualTimer {
  #happening: Happening | undefined;

  set(happening: Happening): void {
    this.#happening = happening;
  }

  clear(): void {
    if (this.#happening !== undefined) this.#happening.cancelled = true;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return false;
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
  Date: globalThis.Date,
  performance: globalThis.performance,
  random: Math.random,
};

const clear =
  (otherwise: (timer: never) => void) =>
  (timer: unknown): void => {
    if (timer instanceof VirtualTimer) timer.clear();
    else otherwise(timer as never);
  };

type Callback = (...values: unknown[]) => void;

function setTimer(run: Callback, ms: number | undefined, ...values: unknown[]): unknown {
  const simulation = playing();
  if (simulation === null) return real.setTimeout(run, ms, ...values);
  const timer = new VirtualTimer();
  // Like the real one it has whole milliseconds, at least one.
  timer.set(
    simulation.after(Math.max(Math.trunc(ms ?? 0) || 0, 1), simulation.current, () => run(...values)),
  );
  return timer;
}

function setRepeated(run: Callback, ms: number | undefined, ...values: unknown[]): unknown {
  const simulation = playing();
  if (simulation === null) return real.setInterval(run, ms, ...values);
  const timer = new VirtualTimer();
  const owner = simulation.current;
  const again = (): void =>
    timer.set(
      simulation.after(Math.max(ms ?? 0, 1), owner, () => {
        again();
        run(...values);
      }),
    );
  again();
  return timer;
}

function setSoon(run: Callback, ...values: unknown[]): unknown {
  const simulation = playing();
  if (simulation === null) return real.setImmediate(run, ...values);
  const timer = new VirtualTimer();
  timer.set(simulation.after(0.01, simulation.current, () => run(...values)));
  return timer;
}

/** The time of the calling process. */
const wallNow = (): number => {
  const simulation = playing();
  return simulation === null
    ? real.Date.now()
    : Math.floor(simulation.now + (simulation.current?.skewMs ?? 0));
};

class VirtualDate extends real.Date {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [wallNow()] : given) as [number]));
  }

  static override now(): number {
    return wallNow();
  }
}

/** Replaces the process's time and randomness by virtual ones. They are real while no story is played. */
export function replaceGlobals(): void {
  Object.assign(globalThis, {
    setTimeout: setTimer,
    setInterval: setRepeated,
    setImmediate: setSoon,
    clearTimeout: clear(real.clearTimeout),
    clearInterval: clear(real.clearInterval),
    clearImmediate: clear(real.clearImmediate),
    Date: VirtualDate,
  });
  Object.defineProperty(globalThis, 'performance', {
    configurable: true,
    value: {
      // A jump of the clock does not change the monotonic time.
      now: () => playing()?.now ?? real.performance.now(),
      timeOrigin: 0,
    },
  });
  const realTimeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => {
    if (playing() === null) return realTimeout(ms);
    const controller = new AbortController();
    setTimer(() => controller.abort(new DOMException('The operation timed out', 'TimeoutError')), ms);
    return controller.signal;
  };
  Math.random = () => playing()?.random() ?? real.random();
}
