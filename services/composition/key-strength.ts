import type { Environment } from '../foundation/settings-error.ts';
import { isHost, isLoopback, listOf } from '../foundation/settings-fields.ts';

/**
 * The shortest key for an address that other machines can reach. A random key of this length cannot be guessed over a
 * network.
 */
const MIN_KEY_LENGTH = 16;

/** The keys that each address accepts. If other machines reach the address, the first key must be set. */
const KEYS_OF = {
  PV_HOST: ['PV_API_KEY', 'PV_ADMIN_API_KEY'],
  TD_HOST: ['TD_API_KEY', 'TD_READ_KEY'],
  OPS_HOST: ['PV_ADMIN_API_KEY'],
} as const;

const isBeyondLoopback = (host: string | undefined): host is string =>
  host !== undefined && host !== '' && isHost(host) && !isLoopback(host);

/**
 * The settings whose keys are short enough to be guessed. `isLookedAt` selects the addresses whose keys are checked.
 */
export function listShortKeys(
  environment: Environment,
  isLookedAt: (host: string | undefined) => boolean = () => true,
): string[] {
  const valueOf = (name: string): string => environment[name]?.trim() ?? '';
  const isShort = (setting: string): boolean =>
    listOf(valueOf(setting)).some((key) => key.length < MIN_KEY_LENGTH);
  const found = Object.entries(KEYS_OF).flatMap(([setting, keys]) =>
    isLookedAt(valueOf(setting)) ? keys.filter(isShort) : [],
  );
  return [...new Set(found)];
}

/** Keys that are missing or too short for the addresses that other machines can reach. */
export function keyFaults(env: Readonly<Record<string, string>>): string[] {
  const faults = listShortKeys(env, isBeyondLoopback).map(
    (key) =>
      `${key}: fewer than ${MIN_KEY_LENGTH} characters, and other machines could guess it; create a new key with: openssl rand -hex 24`,
  );
  for (const [setting, [key]] of Object.entries(KEYS_OF)) {
    const host = env[setting];
    if (isBeyondLoopback(host) && env[key] === undefined) {
      faults.push(
        `${setting}: other machines can reach ${host}, so a key is required: set ${key}, or use 127.0.0.1`,
      );
    }
  }
  return faults;
}
