/** What one look found. */
export interface Finding {
  /** What was looked at. */
  readonly what: string;
  /** `warning`: it works, and somebody should know. `fault`: it does not work until something is done. */
  readonly state: 'ok' | 'warning' | 'fault';
  readonly found: string;
  /** What to do, where something is to be done. */
  readonly advice?: string;
}

export const ok = (what: string, found: string): Finding => ({ what, state: 'ok', found });

const finding =
  (state: 'warning' | 'fault') =>
  (what: string, found: string, advice: string): Finding => ({ what, state, found, advice });
export const warning = finding('warning');
export const fault = finding('fault');
