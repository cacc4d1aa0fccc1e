import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { DebugEvents, type NatsConnection } from 'nats';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.suite.ts';
import { openJetStreamOutlet } from '../relay/jetstream-outlet.ts';
import { connectNats, explainJetStream, inboxPrefixOf, type NatsSettings } from './connection.ts';
import { writeCertificates, writeTokens } from './credentials.suite.ts';
import { freePort, freePorts } from '../../testing/free-ports.suite.ts';
import { hasNatsServer, startNatsServer, type NatsServer } from '../../testing/nats/server.suite.ts';

const SECRET = 'geheim-7f3a';

interface Line {
  level: string;
  message: string;
  fields: Record<string, unknown>;
}

/** A log whose lines can be waited for. */
function createLog() {
  const lines: Line[] = [];
  let changed = Promise.withResolvers<void>();
  const write = (level: string) => (fields: object, message: string) => {
    lines.push({ level, message, fields: fields as Record<string, unknown> });
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const next = async (part: string): Promise<Line> => {
    for (;;) {
      const line = lines.find(({ message }) => message.includes(part));
      if (line !== undefined) return line;
      await changed.promise;
    }
  };
  return { lines, next, log: { info: write('info'), warn: write('warn'), error: write('error') } };
}

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

async function start(...args: string[]): Promise<NatsServer> {
  const server = await startNatsServer(args);
  onTestFinished(() => server.remove());
  return server;
}

async function startWith(config: string): Promise<NatsServer> {
  const file = join(folder, 'server.conf');
  await writeFile(file, config);
  return start('-c', file);
}

async function open(
  settings: NatsSettings,
  options: Partial<Parameters<typeof connectNats>[1]> = {},
): Promise<NatsConnection> {
  const connection = await connectNats(settings, { name: 'test', waitOnFirstConnectMs: 200, ...options });
  onTestFinished(() => connection.close());
  return connection;
}

/** The error of a refused connection; neither it nor its causes may have secrets. */
async function refusal(settings: NatsSettings): Promise<string> {
  const error: unknown = await open(settings).catch((error: unknown) => error);
  expect(error).toMatchObject({ name: 'NatsUnavailable' });
  const { message, stack, cause } = error as Error;
  expect(`${message}${stack}${String(cause)}`).not.toContain(SECRET);
  return message;
}

describe.skipIf(!hasNatsServer)('credentials', () => {
  test('a token', async () => {
    const { url } = await start('--auth', SECRET);
    await (await open({ servers: [url], token: SECRET })).flush();
    expect(await refusal({ servers: [url] })).toContain('rejected the credentials');
    expect(await refusal({ servers: [url], token: `${SECRET}-no` })).toContain('rejected the credentials');
  });

  test('user and password', async () => {
    const { url } = await start('--user', 'gateway', '--pass', SECRET);
    await (await open({ servers: [url], user: 'gateway', password: SECRET })).flush();
    expect(await refusal({ servers: [url], user: 'gateway', password: `${SECRET}-no` })).toContain(
      'rejected the credentials',
    );
  });

  test('a credentials file', async () => {
    const { config, credentials } = await writeTokens(folder);
    const { url } = await start('-c', config);
    await (await open({ servers: [url], credentials })).flush();
    expect(await refusal({ servers: [url] })).toContain('rejected the credentials');
    const broken = join(folder, 'broken.creds');
    await writeFile(broken, SECRET);
    expect(await refusal({ servers: [url], credentials: broken })).toBe(
      `Not a NATS credentials file: ${broken}`,
    );
    expect(await refusal({ servers: [url], credentials: join(folder, 'none') })).toContain('cannot be read');
  });
});

describe.skipIf(!hasNatsServer)('TLS', () => {
  test('needs a name: of an address the client would check nothing', async () => {
    for (const server of ['tls://127.0.0.1:4222', 'tls://[::1]:4222', 'nats://10.0.0.1']) {
      expect(await refusal({ servers: ['tls://localhost', server] })).toContain(`${server}: TLS needs`);
    }
  });

  test('with our own authority; refused with another or none, or for another name', async () => {
    const files = writeCertificates(folder);
    const { port } = await start('--tls', '--tlscert', files.cert, '--tlskey', files.key);
    const tls = { ca: files.ca };
    await (await open({ servers: [`tls://localhost:${port}`], tls })).flush();
    expect(await refusal({ servers: [`tls://localhost:${port}`] })).toContain('the TLS connection failed');
    const none = { ca: join(folder, 'none.pem') };
    expect(await refusal({ servers: [`tls://localhost:${port}`], tls: none })).toContain(
      'the TLS connection failed',
    );
    const others = writeCertificates(folder, 'DNS:other.example');
    const other = await start('--tls', '--tlscert', others.cert, '--tlskey', others.key);
    expect(await refusal({ servers: [`tls://localhost:${other.port}`], tls: { ca: others.ca } })).toContain(
      'the TLS connection failed',
    );
  });

  test('with a certificate of the client where the server asks for one', async () => {
    const { ca, cert, key } = writeCertificates(folder);
    const { port } = await start('--tlsverify', '--tlscert', cert, '--tlskey', key, '--tlscacert', ca);
    const servers = [`tls://localhost:${port}`];
    await (await open({ servers, tls: { ca, cert, key } })).flush();
  });

  test('nothing is sent to a server without, once tls:// is asked for', async () => {
    const { port } = await start();
    expect(await refusal({ servers: [`tls://localhost:${port}`], token: SECRET })).toContain(
      'does not offer TLS',
    );
  });
});

describe('the first connection', () => {
  test('says after the time it was given that nobody is there', async () => {
    const servers = (await freePorts(2)).map((port) => `nats://127.0.0.1:${port}`);
    expect(await refusal({ servers, token: SECRET })).toBe(
      `NATS at ${servers.join(', ')} cannot be reached (CONNECTION_REFUSED)`,
    );
  });

  test('says so where something listens that sends no greeting, as a web server', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const servers = [`nats://127.0.0.1:${(silent.address() as AddressInfo).port}`];
    expect(await refusal({ servers })).toContain('something other than NATS listens there');
  });

  test.skipIf(!hasNatsServer)('waits for a server that starts later', async () => {
    const server = await start();
    await server.kill();
    const { log, next } = createLog();
    const opened = open({ servers: [server.url] }, { log, waitOnFirstConnectMs: 20_000 });
    expect((await next('cannot be reached yet')).level).toBe('warn');
    await server.restart();
    await (await opened).flush();
  });

  test.skipIf(!hasNatsServer)('takes the next of several servers', async () => {
    const { url } = await start();
    const connection = await open({ servers: [`nats://127.0.0.1:${await freePort()}`, url] });
    expect(`nats://${connection.getServer()}`).toBe(url);
  });

  test.skipIf(!hasNatsServer)('says of a server without JetStream what to do', async () => {
    const { url } = await startWith('');
    const connection = await open({ servers: [url] });
    const error = new Error('503');
    expect(explainJetStream(connection, [url], error)).toBe(error);
    const without = { info: { ...connection.info!, jetstream: false } };
    // The message of a cause would be told behind it.
    expect(String(explainJetStream(without, [url], error))).toMatch(/runs without JetStream/u);
    expect(explainJetStream(without, [url], error)).not.toHaveProperty('cause');
  });

  test.skipIf(!hasNatsServer)('says of a JetStream without room for the events what to do', async () => {
    const { url } = await startWith('jetstream { max_file_store: 1MB }');
    const connection = await open({ servers: [url] });
    const error = await openJetStreamOutlet(connection, { maxBytes: 2 ** 30 }).catch(
      (reason: unknown) => reason,
    );
    expect(String(explainJetStream(connection, [url], error))).toContain('raise max_file_store');
  });

  test.skipIf(!hasNatsServer)(
    'names a stream that has the subjects of the events, and what to do',
    async () => {
      const { url } = await startWith('jetstream {}');
      const connection = await open({ servers: [url] });
      const manager = await connection.jetstreamManager();
      await manager.streams.add({ name: 'ALL', subjects: ['beleg.>'] });
      const error = await openJetStreamOutlet(connection).catch((reason: unknown) => reason);
      expect(String(explainJetStream(connection, [url], error))).toMatch(
        /stream ALL already takes beleg\.v1\.evt.*nats stream rm/u,
      );
    },
  );

  test.skipIf(!hasNatsServer)('says of a server that takes no more connections what to raise', async () => {
    const { url } = await startWith('max_connections: 1');
    await open({ servers: [url] });
    expect(await refusal({ servers: [url] })).toContain(
      'maximum connections exceeded): raise max_connections',
    );
  });

  test.skipIf(!hasNatsServer)('refuses a server that takes less than a message may hold', async () => {
    const { url } = await startWith('max_payload: 65536');
    expect(await refusal({ servers: [url] })).toContain('only accepts messages up to 65536 bytes');
  });
});

describe.skipIf(!hasNatsServer)('what happens to a connection', () => {
  test('is logged: a break, and coming back by itself, also after many tries', async () => {
    const server = await start('--auth', SECRET);
    const { log, next, lines } = createLog();
    const connection = await open({ servers: [server.url], token: SECRET }, { log });
    const tries = countTries(connection, 12);
    await server.kill();
    expect((await next('connection lost')).level).toBe('warn');
    // The client gives up after ten by default.
    await tries;
    await server.restart();
    expect((await next('NATS: reconnected')).level).toBe('info');
    await connection.flush();
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  test('is logged: credentials that were changed while it ran, once, and that they are right again', async () => {
    const file = join(folder, 'server.conf');
    const write = (token: string) => writeFile(file, `authorization { token: ${token} }`);
    await write(SECRET);
    const server = await start('-c', file);
    const { log, next, lines } = createLog();
    const connection = await open({ servers: [server.url], token: SECRET }, { log });
    await server.kill();
    await write('another-4b1');
    await server.restart();
    expect((await next('rejects the credentials')).message).toContain('NATS_PASSWORD');
    await countTries(connection, 3);
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'error']);
    await server.kill();
    await write(SECRET);
    await server.restart();
    await next('NATS: reconnected');
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  test('is logged: what the server does not permit, which the client tells nobody', async () => {
    const { url } = await startWith(
      `authorization { users: [{ user: a, password: ${SECRET}, permissions: { publish: "ok.>", subscribe: "_INBOX_a.>" } }] }`,
    );
    const settings = { servers: [url], user: 'a', password: SECRET };
    const published = createLog();
    (await open(settings, { log: published.log })).publish('not.ok', SECRET);
    expect(await published.next('is not allowed to publish or subscribe')).toMatchObject({
      level: 'error',
      fields: { operation: 'publish', subject: 'not.ok' },
    });
    const subscribed = createLog();
    (await open(settings, { log: subscribed.log })).subscribe('not.ok', { callback: () => {} });
    expect(await subscribed.next('is not allowed to publish or subscribe')).toMatchObject({
      level: 'error',
      fields: { operation: 'subscription', subject: 'not.ok' },
    });
    expect(JSON.stringify([published.lines, subscribed.lines])).not.toContain(SECRET);
  });
});

test('a user gets replies under a prefix of its own', () => {
  expect(inboxPrefixOf({ user: 'gateway' })).toBe('_INBOX_gateway');
  expect(inboxPrefixOf({ user: 'a.>' })).toBe('_INBOX');
  expect(inboxPrefixOf({})).toBe('_INBOX');
});

/** Resolves when the client has tried as often to connect again. */
async function countTries(connection: NatsConnection, count: number): Promise<void> {
  let tries = 0;
  for await (const { type } of connection.status()) {
    if (type === DebugEvents.Reconnecting && ++tries === count) return;
  }
}
