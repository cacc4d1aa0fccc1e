import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { NatsSettings } from '../../events/nats/connection.ts';
import { AuditVariables, readAuditSettings } from '../audit/settings.ts';
import { fileSettingOf, withSecretsOfFiles } from '../foundation/secret-files.ts';
import { isSet, SettingsError, type Environment } from '../foundation/settings-error.ts';
import {
  basePath,
  Host,
  isHost,
  Keys,
  listOf,
  overlap,
  OptionalFile,
  secret,
  whole,
} from '../foundation/settings-fields.ts';
import { dashboardFaults, DashboardVariables, readDashboardSettings } from '../gateway/dashboard/settings.ts';
import { RateLimit } from '../gateway/http/rate-limit.ts';
import {
  answerModelFaults,
  AnswerModelVariables,
  KnowledgeVariables,
  readAnswerModelSettings,
  readKnowledgeSettings,
} from '../knowledge/settings.ts';
import { keyFaults, listShortKeys } from './key-strength.ts';
import { marketFaults, MarketVariables, readMarketSettings } from '../market/settings.ts';
import { modelFaults, readModelSettings, TrainingVariables } from '../models/settings.ts';
import { readTradingSettings, TradingVariables } from '../trading/settings.ts';

/** The log levels of pino. */
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The validated environment. It has keys, so never print it whole. */
export type Settings = ReturnType<typeof readSettings>;

const HostList = z
  .string()
  .default('')
  .transform((value) => listOf(value.toLowerCase()).filter((host) => host !== ''))
  .refine((hosts) => hosts.every(isHost), {
    message: 'must be host names separated by commas, without scheme, port or path',
  });

const NATS_ADDRESS = /^(?:(?:nats|tls):\/\/)?[^\s/@?#]+$/;

const NatsServers = z
  .string()
  .transform(listOf)
  .refine((servers) => servers.every((server) => NATS_ADDRESS.test(server)), {
    message:
      'must be addresses like nats://host:4222, separated by commas; put credentials in NATS_USER, NATS_TOKEN or NATS_CREDS',
  });

const ServiceVariables = {
  PV_HOST: Host.describe(
    'address that the knowledge service listens on; if other machines can reach it, set `PV_API_KEY`',
  ),
  PV_PORT: whole(0, 65_535, 8080).describe('port of the knowledge service; `0`: any free port'),
  PV_BASE_PATH: basePath().describe(
    'path below which a proxy serves the knowledge service, such as `/beleg`; the proxy may cut it off or leave it',
  ),
  PV_API_KEY: secret(
    Keys,
    'bearer key for questions, sources, ratings and comments; two keys separated by a comma are both valid',
  ),
  PV_ADMIN_API_KEY: secret(
    Keys,
    'bearer key for reindex, metrics and the audit paths; if not set, `PV_API_KEY` allows reindex',
  ),
  ALLOWED_HOSTS: HostList.describe('host names that a proxy uses to reach the services, separated by commas'),
  ...KnowledgeVariables,
  PV_RATE_LIMIT: RateLimit,
  DATA_DIR: z.string().default('./data').describe('folder for all files that the services write'),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
    .default('info')
    .describe('`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`'),
};

const DistributedVariables = {
  NATS_URL: NatsServers.optional().describe(
    '`nats://` or `tls://` addresses of one cluster, separated by commas; set it together with `EVENTSTORE_URL`',
  ),
  NATS_TOKEN: secret(z.string().optional(), 'token for NATS'),
  NATS_USER: z.string().optional().describe('user for NATS; it receives replies on `_INBOX_<user>.>`'),
  NATS_PASSWORD: secret(z.string().optional(), 'password of that user'),
  NATS_CREDS: OptionalFile.describe('credentials file for NATS'),
  NATS_CA: OptionalFile.describe('file with the CA certificate for the NATS server'),
  NATS_CERT: OptionalFile.describe('file with the client certificate for NATS'),
  NATS_KEY: OptionalFile.describe('file with the private key of that certificate'),
  NATS_REPLICAS: z
    .enum(['1', '3', '5'], 'must be 1, 3 or 5')
    .transform((value) => Number(value) as 1 | 3 | 5)
    .optional()
    .meta({
      description:
        'how many servers of a NATS cluster keep a copy of leases, text keys and published events: `1`, `3` or `5`',
      default: '1 when created, then unchanged',
    }),
  NATS_EVENTS_MIB: whole(64, 16_777_216, 4_096).describe(
    'MiB of published events that NATS keeps for subscribers, at most seven days of them; the oldest go first, and all stay in the record',
  ),
  // The URL may have a password.
  EVENTSTORE_URL: secret(
    z
      .string()
      .regex(/^esdb(\+discover)?:\/\/[^/?#]+/, 'must be a connection string like esdb://host:2113')
      .optional(),
    '`esdb://host:2113?tls=…` or `esdb+discover://…`; TLS is on unless `tls=false`; `tlsCAFile=…` is the file with its CA certificate',
  ),
  OPS_HOST: Host.describe(
    'address of the operations endpoint of a process; if other machines can reach it, set `PV_ADMIN_API_KEY`',
  ),
  OPS_PORT: whole(0, 65_535, 0).meta({
    description: 'port of the operations endpoint',
    default: 'any free port',
  }),
};

/** All settings that are read, except those of OpenTelemetry, by the heading under which they are documented. */
export const SETTINGS = {
  'The knowledge service': ServiceVariables,
  'The record': AuditVariables,
  'Models for search, answers and checks': AnswerModelVariables,
  Trading: { ...DashboardVariables, ...MarketVariables, ...TradingVariables },
  'The trading model': TrainingVariables,
  'Several processes': DistributedVariables,
};

const Variables = z.object({
  ...ServiceVariables,
  ...AuditVariables,
  ...DistributedVariables,
  ...AnswerModelVariables,
  ...DashboardVariables,
  ...MarketVariables,
  ...TradingVariables,
  ...TrainingVariables,
});

/** The settings that may be read from a file, which `NAME_FILE` names. */
export const SECRETS = Object.entries(Variables.shape)
  .filter(([, field]) => field.meta()?.['secret'] === true)
  .map(([name]) => name);

/**
 * Reads the settings once. An empty variable counts as unset.
 *
 * @throws {SettingsError} with ALL faults, not the first.
 */
export function readSettings(environment: Environment) {
  const env: Record<string, string> = {};
  const secrets = withSecretsOfFiles(withHomes(environment), SECRETS);
  for (const [name, value] of Object.entries(secrets.environment)) {
    if (value !== undefined && value.trim() !== '') env[name] = value.trim();
  }
  const parsed = Variables.safeParse(env);
  const faults = [
    ...secrets.faults,
    ...(parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []),
    ...faultsAcross(env),
    ...answerModelFaults(env),
    ...dashboardFaults(env),
    ...marketFaults(env),
    ...modelFaults(env),
  ];
  if (!parsed.success || faults.length > 0) {
    throw new SettingsError([...faults, ...listUnknownSettings(environment).map(isUnknown)]);
  }

  const variables = parsed.data;
  const dataDir = resolve(variables.DATA_DIR);
  const market = readMarketSettings(variables, dataDir, variables.TD_CURRENCY);
  return {
    host: variables.PV_HOST,
    /** The port; with 0 the system chooses one. */
    port: variables.PV_PORT,
    /** The path below which a proxy serves the application; empty if there is none. */
    basePath: variables.PV_BASE_PATH,
    apiKeys: variables.PV_API_KEY,
    adminApiKeys: variables.PV_ADMIN_API_KEY,
    /** Host names under which a proxy reaches the service, in lower case. */
    allowedHosts: variables.ALLOWED_HOSTS,
    /** Requests that each key may make in a minute; `null` means no limit. */
    rateLimit: variables.PV_RATE_LIMIT,
    audit: readAuditSettings(variables, dataDir),
    dataDir,
    logLevel: variables.LOG_LEVEL,
    /** The addresses of the shared bus and the shared record; `null` if everything is in this process (embedded). */
    distributed: distributedOf(variables),
    /** The address at which a process of `beleg service` shows its health and figures. */
    operations: { host: variables.OPS_HOST, port: variables.OPS_PORT },
    ...readKnowledgeSettings(variables),
    ...readAnswerModelSettings(variables),
    dashboard: readDashboardSettings(variables, dataDir),
    market,
    // A replay pauses while trading is not active; Yahoo's sessions follow the real calendar.
    trading: readTradingSettings(variables, {
      source: market.sourceName,
      feedRests: market.source.kind !== 'yahoo',
    }),
    model: readModelSettings(variables, dataDir),
  };
}

/** The settings with the folder of the user for `~/`, which a shell replaces, but not in quotes and not in a file of settings. */
const withHomes = (environment: Environment): Environment =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      SECRETS.includes(name) ? value : value?.replaceAll(/(?<=^\s*|,\s*|csv:)~(?=\/)/gu, () => homedir()),
    ]),
  );

const MIB = 1024 * 1024;

function distributedOf(variables: z.output<typeof Variables>) {
  const { NATS_URL: servers, NATS_REPLICAS: replicas, EVENTSTORE_URL: eventStoreUrl } = variables;
  if (servers === undefined || eventStoreUrl === undefined) return null;
  const { NATS_CA: ca, NATS_CERT: cert, NATS_KEY: key } = variables;
  const nats: NatsSettings = {
    servers,
    token: variables.NATS_TOKEN,
    user: variables.NATS_USER,
    password: variables.NATS_PASSWORD,
    credentials: variables.NATS_CREDS,
    tls: (ca ?? cert ?? key) === undefined ? undefined : { ca, cert, key },
  };
  /**
   * `replicas`: the number of servers of a NATS cluster that keep a copy of JetStream's data. Absent: unchanged, or 1
   * for new data.
   */
  return { nats, replicas, eventsBytes: variables.NATS_EVENTS_MIB * MIB, eventStoreUrl };
}

/** Faults in how variables are combined. */
function faultsAcross(env: Readonly<Record<string, string>>): string[] {
  const faults = keyFaults(env);
  const nats = env['NATS_URL'] !== undefined;
  const eventStore = env['EVENTSTORE_URL'] !== undefined;
  if (nats && !eventStore) {
    faults.push(
      'NATS_URL: EVENTSTORE_URL is missing; set both, services that share a bus need one shared event store',
    );
  } else if (eventStore && !nats) {
    faults.push('EVENTSTORE_URL: NATS_URL is missing; set both, or neither to run everything in one process');
  }
  return faults;
}

const SECRET_FILES: ReadonlySet<string> = new Set(SECRETS.map(fileSettingOf));

/** Unknown `PV_…` and `TD_…` variables, which are probably misspelt, for a warning at the start. */
export function listUnknownSettings(environment: Environment): string[] {
  return Object.keys(environment)
    .filter(
      (name) => /^(PV|TD)_/.test(name) && !Object.hasOwn(Variables.shape, name) && !SECRET_FILES.has(name),
    )
    .sort();
}

const isUnknown = (name: string): string =>
  `${name} is not a known setting and is ignored; check the spelling`;

/** Flags that are neither `true` nor `false`, with the value that is assumed. */
function listUnclearFlags(environment: Environment): string[] {
  return Object.entries(Variables.shape).flatMap(([name, field]) => {
    const word = environment[name]?.trim() ?? '';
    if (word === '' || field.meta()?.['flag'] !== true || /^(true|false)$/i.test(word)) return [];
    return [
      `${name}: ${word} is neither true nor false; it is taken for ${field.parse(word) === true ? 'true' : 'false'}`,
    ];
  });
}

/** Settings that work but should be checked. They are reported at start, and by the doctor. */
export function listWarnings(given: Environment): string[] {
  const { environment } = withSecretsOfFiles(withHomes(given), SECRETS);
  const open = ['PV_API_KEY', 'TD_API_KEY'].filter((key) => !isSet(environment, key));
  return [
    ...listUnknownSettings(environment).map(isUnknown),
    ...listUnclearFlags(environment),
    ...listShortKeys(environment).map(
      (name) =>
        `${name} is short and could be guessed; it is only accepted while other machines cannot reach the service`,
    ),
    ...(overlap(environment['PV_ADMIN_API_KEY'], environment['PV_API_KEY'])
      ? ['PV_ADMIN_API_KEY has a key of PV_API_KEY: whoever may ask may read the record and erase']
      : []),
    ...(isSet(environment, 'ALLOWED_HOSTS') && open.length > 0
      ? [
          `ALLOWED_HOSTS: anyone who can reach the proxy gets in without a key, because ${open.join(' and ')} ${open.length === 1 ? 'is' : 'are'} not set`,
        ]
      : []),
  ];
}
