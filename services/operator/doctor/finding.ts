/** The result of one check. */
export interface Finding {
  /** What was checked. */
  readonly what: string;
  /** `warning`: it works, but somebody should know. `fault`: it does not work until somebody acts. */
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
