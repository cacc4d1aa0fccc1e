import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Workspace } from '../../testing/processes/application.suite.ts';
import type { Environment } from '../foundation/settings-error.ts';
import { checkFolder } from '../market/sources/check-folder.ts';
import { examine } from '../operator/doctor/doctor.ts';
import { startApplication } from './application.ts';
import { readSettings } from './settings.ts';

let workspace: Workspace;
beforeEach(async () => {
  workspace = await Workspace.create();
});
afterEach(() => workspace.remove());

const settingsWith = (more: Environment) => readSettings(workspace.environment(more));
const startWith = (more: Environment) => startApplication(settingsWith(more), pino({ level: 'silent' }));

test.each([
  ['does not exist', () => undefined],
  ['is a file, not a folder', (path: string) => writeFileSync(path, 'x')],
  ['has no file like AAPL.csv', (path: string) => mkdirSync(path)],
])(
  'a start with a folder of tables that %s is refused, and the account keeps to nothing',
  async (why, make) => {
    const folder = join(workspace.folder, 'tabels');
    make(folder);
    await expect(startWith({ TD_SOURCE: `csv:${folder}` })).rejects.toMatchObject({
      name: 'SettingsError',
      faults: [expect.stringContaining(`TD_SOURCE: ${folder} ${why}`)],
    });
    expect(existsSync(join(workspace.data, 'events.db'))).toBe(false);
  },
);

test('a start is refused for tickers of which the folder has none', async () => {
  writeFileSync(join(workspace.folder, 'AAPL.csv'), 'Date,Open,High,Low,Close,Volume');
  const more = { TD_SOURCE: `csv:${workspace.folder}`, TD_TICKERS: 'APPL' };
  await expect(startWith(more)).rejects.toMatchObject({
    faults: [expect.stringMatching(/^TD_TICKERS: .* has no table of APPL/u)],
  });
});

test.each([
  ['does not exist', () => undefined],
  ['is not a file', (path: string) => mkdirSync(path)],
])('a start with a file of a strategy that %s is refused, and is told by doctor', async (why, make) => {
  const files = ['momentun.ts', 'other.ts'].map((name) => join(workspace.folder, name));
  make(files[0]!);
  writeFileSync(files[1]!, '');
  const more = { TD_STRATEGY: `${files[0]}=50%,${files[1]}=50%` };
  const fault = `TD_STRATEGY: ${files[0]} ${why}`;
  await expect(startWith(more)).rejects.toMatchObject({ name: 'SettingsError', faults: [fault] });
  expect(existsSync(join(workspace.data, 'events.db'))).toBe(false);
  expect(await examine(workspace.environment(more))).toContainEqual(
    expect.objectContaining({ what: 'settings', state: 'fault', found: fault }),
  );
});

test('a folder that was read once stops no start when it is away', async () => {
  const { market } = settingsWith({ TD_SOURCE: `csv:${join(workspace.folder, 'away')}` });
  mkdirSync(workspace.data);
  writeFileSync(market.dbPath, '');
  await expect(checkFolder(market)).resolves.toBeUndefined();
});
