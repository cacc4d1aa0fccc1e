/** Every fault of the settings, one readable line each. No line contains a value that could be a key. */
export class SettingsError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'SettingsError';
    this.faults = faults;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

export const isSet = (environment: Environment, name: string): boolean =>
  (environment[name] ?? '').trim() !== '';
