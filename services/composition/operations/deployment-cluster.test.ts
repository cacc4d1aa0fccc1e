import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isMap, isSeq, parse, parseDocument, visit } from 'yaml';
import { parseAddress } from '../../../events/store/eventstoredb/address.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const PARSING = { merge: true, logLevel: 'error' } as const;
interface Service {
  image?: string;
  environment?: Record<string, string>;
  volumes?: string[];
  mem_limit?: string;
  pids_limit?: number;
  logging?: { options: Record<string, string> };
}
const read = (file: string) =>
  parse(text(file), PARSING) as {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
  };
const base = read('docker-compose.yml');
const cluster = read('docker-compose.cluster.yml');
const NODES = ['eventstore', 'eventstore-2', 'eventstore-3'];

test('every service that keeps a record is given the three nodes, with TLS and a user', () => {
  const recording = Object.entries(base.services).filter(
    ([, { environment }]) => environment?.['EVENTSTORE_URL'],
  );
  expect(recording.length).toBeGreaterThan(0);
  for (const [name] of recording) {
    const url = cluster.services[name]!.environment!['EVENTSTORE_URL']!;
    const plain = url.replace(/\$\{[^}]*\}/, 'secret').replace('/tls/ca/ca.crt', join(root, 'LICENSE'));
    expect(parseAddress(plain)).toMatchObject({
      server: { endpoints: NODES.map((address) => ({ address, port: 2113 })) },
      credentials: { username: 'beleg', password: 'secret' },
    });
  }
});

test('the nodes are of the version of the single one, know each other, and share no data', () => {
  const data = NODES.map((name) => {
    const { image, environment, volumes } = cluster.services[name]!;
    expect(image).toBe(base.services['eventstore']!.image);
    expect(environment).toMatchObject({
      EVENTSTORE_INSECURE: 'false',
      EVENTSTORE_NODE_HOST_ADVERTISE_AS: name,
      EVENTSTORE_GOSSIP_SEED: NODES.filter((other) => other !== name)
        .map((other) => `${other}:2113`)
        .join(','),
    });
    return volumes!.find((volume) => volume.endsWith(':/var/lib/eventstore'))!;
  });
  expect(new Set(data).size).toBe(NODES.length);
  const used = Object.values(cluster.services).flatMap(({ volumes = [] }) =>
    volumes.map((v) => v.split(':')[0]!),
  );
  const known = [...Object.keys(base.volumes), ...Object.keys(cluster.volumes)];
  expect(used.filter((volume) => !known.includes(volume))).toEqual([]);
});

test('every container of its own has bounds', () => {
  for (const { image, ...bounds } of Object.values(cluster.services)) {
    if (image === undefined) continue;
    expect(bounds).toMatchObject({
      mem_limit: '${EVENTSTORE_MEMORY:-4g}',
      cpus: '${CPUS:-2}',
      pids_limit: 1024,
      logging: { options: { 'max-size': '20m', 'max-file': '5' } },
    });
  }
});

test('no list repeats what stands in the list that Compose puts it behind: Compose up to 2.26 refuses that', () => {
  // Read as a document, because a parsed value has lost its tag.
  const document = parseDocument(text('docker-compose.cluster.yml'), PARSING);
  const overriding = new Set<string>();
  visit(document, {
    Pair(_, { key, value }) {
      if (isSeq(value) && value.tag === '!override') overriding.add(String(key));
    },
  });
  expect(isMap(document.get('services'))).toBe(true);
  // Compose replaces these, or merges them by a part of their entries.
  const joinedOtherwise = ['command', 'entrypoint', 'volumes', 'networks', 'ports'];
  const repeated = Object.entries(cluster.services).flatMap(([name, service]) => {
    const before: Record<string, unknown> = { ...base.services[name] };
    return Object.entries(service).flatMap(([key, list]) => {
      const other = before[key];
      if (!Array.isArray(list) || !Array.isArray(other)) return [];
      if (joinedOtherwise.includes(key) || overriding.has(key)) return [];
      return list.filter((item) => other.includes(item)).map((item) => `${name}: ${key}: ${String(item)}`);
    });
  });
  expect(repeated).toEqual([]);
});

test('the overlay with secrets gives each service a file for every key that it has, and takes the key out', () => {
  const { services, secrets } = parse(text('docker-compose.secrets.yml'), PARSING) as {
    services: Record<string, Service & { secrets: string[] }>;
    secrets: Record<string, unknown>;
  };
  for (const [name, { environment = {} }] of Object.entries(base.services)) {
    const keys = Object.keys(environment).filter((key) => /^(PV|TD)_(ADMIN_API|API|READ)_KEY$/.test(key));
    if (keys.length === 0) continue;
    const files = keys.map((key) => [`${key}_FILE`, `/run/secrets/${key.toLowerCase()}`]);
    // Compose's `!reset null`, whose tag the parser here does not know.
    const emptied = keys.map((key) => [key, 'null']);
    expect(services[name]!.environment).toEqual(Object.fromEntries([...emptied, ...files]));
    expect(services[name]!.secrets.toSorted()).toEqual(keys.map((key) => key.toLowerCase()).toSorted());
    for (const secret of services[name]!.secrets) expect(secrets).toHaveProperty(secret);
  }
});
