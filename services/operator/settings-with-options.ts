import { SettingsError } from '../foundation/settings-error.ts';
import { readSettings, type Settings } from '../composition/settings.ts';

/** Options of a command by the name of the setting: the option's own name, and its value if it is given. */
export type Options = Readonly<Record<string, readonly [option: string, value: string | undefined]>>;

/**
 * The settings, some replaced by options of a command. A fault in a replaced setting names the option, because that is
 * what the user typed.
 */
export function settingsWith(options: Options): Settings {
  const given = Object.entries(options).filter(([, [, value]]) => value !== undefined);
  try {
    return readSettings({
      ...process.env,
      ...Object.fromEntries(given.map(([setting, [, value]]) => [setting, value])),
    });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const names = new Map(given.map(([setting, [option]]) => [setting, option]));
    throw new SettingsError(
      error.faults.map((fault) => fault.replace(/^\w+/u, (setting) => names.get(setting) ?? setting)),
    );
  }
}

/** The settings with another knowledge base, if one is given. */
export const settingsOn = (kb: string | undefined): Settings => settingsWith({ PV_KB_PATH: ['--kb', kb] });
