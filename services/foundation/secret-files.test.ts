import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedFolder } from '../../events/temporary-folder.suite.ts';
import { listWarnings, readSettings, SECRETS } from '../composition/settings.ts';
import { SettingsError } from './settings-error.ts';

const folder = sharedFolder();
const KEY = 'k'.repeat(24);

function file(text: string): string {
  const path = join(folder, `secret-${text.length}`);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
}

test('every setting that may hold a secret may be in a file', () => {
  expect(SECRETS).toEqual([
    'PV_API_KEY',
    'PV_ADMIN_API_KEY',
    'NATS_TOKEN',
    'NATS_PASSWORD',
    'EVENTSTORE_URL',
    'PV_MODEL_KEY',
    'TD_API_KEY',
    'TD_READ_KEY',
  ]);
});

test('a secret of a file counts as if it were in the environment, without the end of its line', () => {
  const given = { PV_HOST: '0.0.0.0', PV_API_KEY_FILE: file(`${KEY},${'j'.repeat(16)}\n`) };
  expect(readSettings(given).apiKeys).toEqual([KEY, 'j'.repeat(16)]);
  expect(listWarnings(given)).toEqual([]);
  expect(
    readSettings({
      NATS_URL: 'nats://n',
      NATS_USER: 'audit',
      NATS_PASSWORD_FILE: file('pass word'),
      EVENTSTORE_URL_FILE: file('esdb://user:secret@host:2113'),
    }).distributed,
  ).toMatchObject({ nats: { password: 'pass word' }, eventStoreUrl: 'esdb://user:secret@host:2113' });
});

test('a short key of a file is warned of', () => {
  expect(listWarnings({ TD_READ_KEY_FILE: file('short') })).toEqual([
    expect.stringContaining('TD_READ_KEY is short'),
  ]);
});

test.each<[string, Record<string, string>, RegExp]>([
  [
    'both at once',
    { PV_API_KEY: KEY, PV_API_KEY_FILE: '/nowhere' },
    /^PV_API_KEY_FILE: PV_API_KEY is set as well; set one of them$/,
  ],
  ['no file', { TD_API_KEY_FILE: '/nowhere' }, /^TD_API_KEY_FILE: the file cannot be read \(ENOENT\)$/],
  ['a folder', { PV_MODEL_KEY_FILE: '/' }, /^PV_MODEL_KEY_FILE: the file cannot be read \(EISDIR\)$/],
  ['an empty file', { NATS_TOKEN_FILE: file(' \n') }, /^NATS_TOKEN_FILE: the file is empty$/],
  ['several lines', { PV_ADMIN_API_KEY_FILE: file(`${KEY}\n${KEY}`) }, /must hold one line/],
])('%s is a fault that shows no secret', (_, environment, expected) => {
  const faults = faultsOf(environment);
  expect(faults[0]).toMatch(expected);
  expect(faults.join()).not.toContain(KEY);
});

test('an empty name of a file counts as none', () => {
  expect(readSettings({ PV_API_KEY: KEY, PV_API_KEY_FILE: ' ' }).apiKeys).toEqual([KEY]);
});
