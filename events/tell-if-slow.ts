const SLOW_MS = 1_000;

/** Returns a function that calls `tell` only the first time. */
export function telling<Said extends unknown[]>(tell: (...said: Said) => void): (...said: Said) => void {
  let isTold = false;
  return (...said) => {
    if (!isTold) tell(...said);
    isTold = true;
  };
}

/** Calls `tell` if the work takes longer than a second, so that a log says what the process is waiting for. */
export async function tellIfSlow<T>(work: Promise<T>, tell: () => void): Promise<T> {
  const timer = setTimeout(tell, SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
