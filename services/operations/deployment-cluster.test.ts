import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseAddress } from '../../events/store/eventstoredb/address.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) =>
  parse(readFileSync(join(root, file), 'utf8'), { merge: true }) as {
    services: Record<string, { image?: string; environment?: Record<string, string>; volumes?: string[] }>;
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
