import { isBelegError } from '../../../events/errors.ts';

/** The result of one check. */
export interface Finding {
  /** What was checked. */
  readonly what: string;
  /** `warning`: the service works, but somebody should know. `fault`: it does not work until somebody acts. */
  readonly state: 'ok' | 'warning' | 'fault';
  readonly found: string;
  /** What to do, if anything. */
  readonly advice?: string;
}

export const ok = (what: string, found: string): Finding => ({ what, state: 'ok', found });

const finding =
  (state: 'warning' | 'fault') =>
  (what: string, found: string, advice: string): Finding => ({ what, state, found, advice });
export const warning = finding('warning');
export const fault = finding('fault');

/** The finding for files that another process has locked, which cannot be checked. */
export const inUseBy = (files: string): string =>
  `${files}: in use by another process, so the content was not checked`;
export const LOOK_AGAIN = 'run beleg doctor again once no other program has it open';

/** The result of `look`, or of `inUse` if another process has locked the file. */
export async function unlessInUse<T>(look: () => Promise<T>, inUse: () => T): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (isBelegError(error, 'STORE_UNAVAILABLE')) return inUse();
    throw error;
  }
}

/** The first `most` faults in full, and of the others only the file names, each once. */
export function namedFaults(
  faults: readonly string[],
  most: number,
  fileOf: (fault: string) => string,
): string {
  const others = [...new Set(faults.slice(most).map(fileOf))];
  const more = others.length === 0 ? [] : [`and also ${others.join(', ')}`];
  return [...faults.slice(0, most), ...more].join('; ');
}
