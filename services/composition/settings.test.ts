import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isLoopback } from '../foundation/settings-fields.ts';
import { listWarnings, listUnknownSettings, readSettings } from './settings.ts';
import { listShortKeys } from './key-strength.ts';
import { SettingsError, type Environment } from '../foundation/settings-error.ts';

const LONG_KEY = 'k'.repeat(16);

function faultsOf(env: Environment): readonly string[] {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
  return [];
}

describe('readSettings', () => {
  test('gives the documented defaults for an empty environment', () => {
    expect(readSettings({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      basePath: '',
      apiKeys: [],
      adminApiKeys: [],
      allowedHosts: [],
      reviewMode: false,
      audit: {
        enabled: false,
        dbPath: resolve('data/audit.db'),
        stdout: false,
        logContent: true,
        retentionDays: null,
        signingKey: null,
        checkpointFile: resolve('data/checkpoints.jsonl'),
        checkpointEvery: 1000,
      },
      dataDir: resolve('data'),
      kbPath: resolve('kb/corpus'),
      embeddingModel: null,
      allowRemoteModels: false,
      modelServer: null,
      localModel: null,
      modelFallback: true,
      nliModel: null,
      rerankerModel: null,
      askBudgetMs: 20_000,
      maxConcurrentAsks: 4,
      maxQueuedAsks: 64,
      logLevel: 'info',
    });
  });

  test('counts an empty variable as unset', () => {
    expect(readSettings({ PV_PORT: '', PV_API_KEY: ' ', NATS_URL: '' })).toMatchObject({
      port: 8080,
      apiKeys: [],
    });
  });

  test.each([
    ['true', true],
    ['TRUE', true],
    ['1', false],
    ['yes', false],
    ['false', false],
  ])('reads the flag %s as %s', (value, expected) => {
    expect(readSettings({ PV_AUDIT_ENABLED: value }).audit.enabled).toBe(expected);
  });

  test.each([
    ['false', false],
    ['False', false],
    ['0', true],
    ['true', true],
  ])('logs content with %s: %s', (value, expected) => {
    expect(readSettings({ PV_AUDIT_LOG_CONTENT: value }).audit.logContent).toBe(expected);
  });

  test('keeps the audit file below DATA_DIR unless told otherwise', () => {
    expect(readSettings({ DATA_DIR: '/tmp/x' }).audit.dbPath).toBe('/tmp/x/audit.db');
    expect(readSettings({ DATA_DIR: '/tmp/x', PV_AUDIT_DB_PATH: '/tmp/y.db' }).audit.dbPath).toBe(
      '/tmp/y.db',
    );
  });

  test.each<[Environment, RegExp]>([
    [{ PV_PORT: '8a0' }, /^PV_PORT: must be a whole number from 0 to 65535, without a unit$/],
    [{ PV_PORT: '5e3' }, /^PV_PORT: must be a whole number from 0 to 65535$/],
    [{ PV_PORT: 'a' }, /^PV_PORT: must be a whole number from 0 to 65535$/],
    [{ PV_ASK_SECONDS: '20s' }, /^PV_ASK_SECONDS: must be a whole number from 1 to 110, without a unit$/],
    [{ PV_PORT: '65536' }, /^PV_PORT: must be a whole number/],
    [{ PV_PORT: '-1' }, /^PV_PORT: must be a whole number/],
    [{ PV_HOST: 'http://x' }, /^PV_HOST: must be an IP address or a host name$/],
    [{ PV_API_KEY: 'two words' }, /^PV_API_KEY: a key may only/],
    [{ PV_MAX_CONCURRENT_ASKS: '0' }, /^PV_MAX_CONCURRENT_ASKS: must be a whole number from 1/],
    [{ PV_MAX_QUEUED_ASKS: '1.5' }, /^PV_MAX_QUEUED_ASKS: must be a whole number from 0/],
    [{ ALLOWED_HOSTS: 'a.example, https://b' }, /^ALLOWED_HOSTS: must be host names/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: must be one of fatal/],
    [{ PV_MODEL_FALLBACK: 'guess' }, /^PV_MODEL_FALLBACK: must be none or extractive$/],
    [{ PV_MODEL_URL: 'ftp://x', PV_MODEL_NAME: 'm' }, /^PV_MODEL_URL: must be a URL like/],
    [{ PV_MODEL_URL: 'foo', PV_MODEL_NAME: 'm' }, /^PV_MODEL_URL: must be a URL like/],
    [{ PV_MODEL_URL: 'http://me:secret@x/v1', PV_MODEL_NAME: 'm' }, /^PV_MODEL_URL: must not contain a user/],
    [{ PV_MODEL_URL: 'http://x/v1' }, /^PV_MODEL_NAME: required if PV_MODEL_URL/],
    [
      { PV_MODEL_URL: 'http://x/v1', PV_MODEL_NAME: 'm', PV_LOCAL_MODEL: './m' },
      /^PV_LOCAL_MODEL: cannot be combined with PV_MODEL_URL/,
    ],
    [{ PV_HOST: '0.0.0.0' }, /^PV_HOST: other machines can reach 0\.0\.0\.0, .*PV_API_KEY/],
    [{ PV_HOST: '0.0.0.0', PV_ADMIN_API_KEY: LONG_KEY }, /a key is required: set PV_API_KEY/],
    [{ PV_HOST: '0.0.0.0', PV_API_KEY: LONG_KEY.slice(1) }, /^PV_API_KEY: fewer than 16 characters/],
    [
      { PV_HOST: '::', PV_API_KEY: LONG_KEY, PV_ADMIN_API_KEY: 'k' },
      /^PV_ADMIN_API_KEY: fewer than 16 characters/,
    ],
    [{ OPS_HOST: '0.0.0.0', PV_ADMIN_API_KEY: 'k' }, /^PV_ADMIN_API_KEY: fewer than 16/],
    [{ TD_HOST: '0.0.0.0', TD_API_KEY: 'k' }, /^TD_API_KEY: fewer than 16/],
    [{ TD_HOST: '0.0.0.0', TD_API_KEY: LONG_KEY, TD_READ_KEY: 'k' }, /^TD_READ_KEY: fewer than 16/],
    [{ NATS_URL: 'nats://x' }, /^NATS_URL: EVENTSTORE_URL is missing/],
    [{ EVENTSTORE_URL: 'esdb://x' }, /^EVENTSTORE_URL: NATS_URL is missing/],
    [{ NATS_URL: 'http://x', EVENTSTORE_URL: 'esdb://e' }, /^NATS_URL: must be addresses like nats:/],
    [
      { NATS_URL: 'nats://user:geheim@x', EVENTSTORE_URL: 'esdb://e' },
      /^NATS_URL: .* put credentials in NATS_USER/,
    ],
    [{ NATS_URL: 'nats://x', EVENTSTORE_URL: 'http://x' }, /^EVENTSTORE_URL: must be a connection string/],
    [{ OPS_HOST: '0.0.0.0' }, /^OPS_HOST: .* set PV_ADMIN_API_KEY/],
  ])('refuses %o', (env, message) => {
    const faults = faultsOf(env);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(message);
  });

  test('lists all faults at once, and no key among them', () => {
    const faults = faultsOf({
      PV_PORT: 'x',
      LOG_LEVEL: 'y',
      PV_HOST: '10.0.0.1',
      PV_ADMIN_API_KEY: 'geheim geheim geheim',
      NATS_URL: 'nats://user:password@n',
    });
    expect(faults).toHaveLength(6);
    expect(faults.join('\n')).not.toMatch(/geheim|password/);
  });

  test('binds elsewhere with a key', () => {
    expect(readSettings({ PV_HOST: '0.0.0.0', PV_API_KEY: LONG_KEY })).toMatchObject({
      host: '0.0.0.0',
      apiKeys: [LONG_KEY],
    });
  });

  test('keeps as many copies in NATS as are asked for', () => {
    const env = { NATS_URL: 'nats://n', EVENTSTORE_URL: 'esdb://e', NATS_REPLICAS: '3' };
    expect(readSettings(env).distributed?.replicas).toBe(3);
    expect(faultsOf({ ...env, NATS_REPLICAS: '2' })).toEqual(['NATS_REPLICAS: must be 1, 3 or 5']);
  });

  test('warns of a key that opens what asks and what erases', () => {
    const keys = { PV_API_KEY: `${LONG_KEY},${LONG_KEY}2`, PV_ADMIN_API_KEY: `${LONG_KEY}2` };
    expect(listWarnings(keys)).toEqual([
      'PV_ADMIN_API_KEY has a key of PV_API_KEY: whoever may ask may read the record and erase',
    ]);
    expect(listWarnings({ ...keys, PV_ADMIN_API_KEY: `${LONG_KEY}3` })).toEqual([]);
  });

  test('takes short keys on this machine, to be warned of', () => {
    const env = { PV_API_KEY: 'k', PV_ADMIN_API_KEY: 'admin', TD_API_KEY: LONG_KEY, TD_READ_KEY: ' ' };
    expect(readSettings(env)).toMatchObject({ apiKeys: ['k'], adminApiKeys: ['admin'] });
    expect(listShortKeys(env)).toEqual(['PV_API_KEY', 'PV_ADMIN_API_KEY']);
  });
});

describe('two keys, while one is changed', () => {
  test('stand in one setting, separated by a comma', () => {
    expect(readSettings({ PV_API_KEY: 'old, new' }).apiKeys).toEqual(['old', 'new']);
  });

  test.each([',', 'old,', 'old,,new', 'old new'])('%j is a fault, and opens nothing', (PV_API_KEY) => {
    expect(faultsOf({ PV_API_KEY })).toEqual([
      expect.stringMatching(/^PV_API_KEY: a key may only contain letters/),
    ]);
  });

  test('each is as long as a single one must be', () => {
    expect(faultsOf({ PV_HOST: '0.0.0.0', PV_API_KEY: `${LONG_KEY},short` })).toEqual([
      expect.stringMatching(/^PV_API_KEY: fewer than 16/),
    ]);
  });
});

test.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.1', false],
  ['127.example.com', false],
])('isLoopback(%s) is %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test('names misspelt settings', () => {
  expect(listUnknownSettings({ PV_AUDIT_ENABELD: 'true', PV_PORT: '1', HOME: '/' })).toEqual([
    'PV_AUDIT_ENABELD',
  ]);
});

test('a misspelt setting is named beside the faults of others', () => {
  expect(() => readSettings({ PV_KBPATH: '/x', PV_PORT: 'a' })).toThrow(
    'PV_KBPATH is not a known setting and is ignored; check the spelling',
  );
});

test('`~/` in a path is the folder of the user, and in a key it is itself', () => {
  const { dataDir, kbPath, apiKeys } = readSettings({
    DATA_DIR: '~/x',
    PV_KB_PATH: '~/handbook',
    PV_API_KEY: '~/0123456789abcdef',
  });
  expect({ dataDir, kbPath, apiKeys }).toEqual({
    dataDir: join(homedir(), 'x'),
    kbPath: join(homedir(), 'handbook'),
    apiKeys: ['~/0123456789abcdef'],
  });
});

test('a proxy that may reach the service without a key is warned of', () => {
  const [warning] = listWarnings({ ALLOWED_HOSTS: 'beleg.example', TD_API_KEY: 'k'.repeat(16) });
  expect(warning).toBe(
    'ALLOWED_HOSTS: anyone who can reach the proxy gets in without a key, because PV_API_KEY is not set',
  );
  expect(
    listWarnings({ PV_API_KEY: 'k'.repeat(16), TD_API_KEY: 'j'.repeat(16), ALLOWED_HOSTS: 'a' }),
  ).toEqual([]);
});

test('warns of a flag that is neither true nor false, and says what it is taken for', () => {
  expect(listWarnings({ PV_AUDIT_LOG_CONTENT: 'nein', PV_REVIEW_MODE: 'ja', TD_SHORTING: 'FALSE' })).toEqual([
    'PV_REVIEW_MODE: ja is neither true nor false; it is taken for false',
    'PV_AUDIT_LOG_CONTENT: nein is neither true nor false; it is taken for true',
  ]);
});
