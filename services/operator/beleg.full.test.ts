import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AskResponse } from '../../events/messages/knowledge.ts';
import { openEmbeddedStore } from '../../events/store/embedded/embedded.ts';
import { Client, QUESTION, Workspace } from '../../testing/processes/application.suite.ts';
import { PATIENT } from '../../events/patient.suite.ts';

const BELEG = join(import.meta.dirname, 'beleg.ts');

let workspace: Workspace;
const children: ChildProcess[] = [];

beforeEach(async () => {
  workspace = await Workspace.create();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await workspace.remove();
});

type More = Record<string, string | undefined>;

function start(
  args: string[],
  more: More = {},
  stdio: StdioOptions = ['ignore', 'pipe', 'pipe'],
): ChildProcess {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', BELEG, ...args], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...workspace.environment(more),
    },
    stdio,
    cwd: workspace.folder,
  });
  children.push(child);
  return child;
}

async function beleg(args: string[], more: More = {}) {
  const child = start(args, more);
  const [out, err] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')]);
  return { code: child.exitCode, out, err };
}

/** Starts `beleg serve`; resolves when it listens. */
async function serve(more: More = {}) {
  const child = start(['serve'], more);
  let out = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      const found = /listening on (\S+)/u.exec(out)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`beleg serve ended with ${code}`)));
  });
  return { child, client: new Client(url), output: () => out };
}

describe('beleg ask', () => {
  test('prints the answer with its sources and exits with 0', async () => {
    const { code, out } = await beleg(['ask', QUESTION]);
    expect(out).toContain('mindestens 24 Werktage. [URL-1]');
    expect(out).toContain('Quellen\n  [URL-1] Mindesturlaub (§ 3 BUrlG, Handbuch, Stand 2021-07)');
    expect(out).toContain('⚠ Belegt, aber nicht auf aktuellem Stand: Die Quelle hat den Stand Juli 2021.');
    expect(out).not.toContain('\u001b');
    expect(code).toBe(0);
  });

  test('exits with 3 when the base does not cover the question, and says so', async () => {
    const { code, out } = await beleg(['ask', 'Wie hoch ist der Eiffelturm in Paris?']);
    expect(out).toContain('⚠ Keine Antwort');
    expect(code).toBe(3);
  });

  test('prints the response of the API with --json', async () => {
    const { code, out } = await beleg(['ask', QUESTION, '--json']);
    expect(JSON.parse(out) as AskResponse).toMatchObject({ api_version: 'v1', status: 'answered' });
    expect(code).toBe(0);
  });

  test('answers from the base of --kb', async () => {
    const { code, err } = await beleg(['ask', QUESTION, '--kb', 'nirgends']);
    expect(err).toMatch(/^beleg: the knowledge base has 1 fault\n/u);
    expect(code).toBe(2);
  });

  test.each([
    [['ask'], /missing required argument 'question'/u],
    [['ask', ' '], /^beleg: question: Must not be empty$/mu],
    [['ask', QUESTION, '--top-k', '51'], /must be a whole number from 1 to 50/u],
    [['nichts'], /unknown command 'nichts'/u],
    [['verify'], /There is: beleg audit verify /u],
    [['audit', 'erase'], /Usage: beleg audit erase \[options\] <request_ids\.\.\.> --reason <text>/u],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await beleg(args);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });
});

describe('beleg kb', () => {
  test('check lists all faults by file and line and exits with 1', async () => {
    await writeFile(
      join(workspace.kb, 'a.md'),
      '---\nid: ???\ntitle: A\nsection: x\nstand: 2021\nwork: W\n---\nText\n',
    );
    await writeFile(join(workspace.kb, 'b.doc'), 'x');
    const { code, out } = await beleg(['kb', 'check']);
    expect(out).toMatch(/^fault: a\.md:2: id must be/mu);
    expect(out).toMatch(/^fault: a\.md:5: stand must be/mu);
    expect(out).toMatch(/^fault: b\.doc: is an old Word file/mu);
    expect(out).toMatch(/^4 sources, 4 passages, 0 warnings, 3 faults: these files are left out$/mu);
    expect(code).toBe(1);
  });

  test('check of a sound base exits with 0', async () => {
    expect(await beleg(['kb', 'check', workspace.kb])).toMatchObject({
      code: 0,
      out: '4 sources, 4 passages, 0 warnings, no faults\n',
    });
  });

  test('index leaves a snapshot that the next start loads', async () => {
    const { code, out } = await beleg(['kb', 'index']);
    expect(out).toMatch(/^4 sources, 4 passages \(lexical\), ready in /mu);
    expect(code).toBe(0);
    const files = await readdir(workspace.data, { recursive: true });
    expect(files.filter((file) => file.endsWith('.snapshot'))).toHaveLength(1);
  });

  test('import turns statutes into a base', async () => {
    const { code, err } = await beleg(['kb', 'import', workspace.kb, '--out', join(workspace.folder, 'out')]);
    expect(err).toMatch(/^beleg: no statute among these files$/mu);
    expect(code).toBe(1);
  });
});

describe('beleg serve', () => {
  test('lists every fault of the settings and exits with 2', async () => {
    const { code, err } = await beleg(['serve'], { PV_PORT: 'x', PV_HOST: '0.0.0.0', NATS_URL: 'nats://n' });
    expect(err).toMatch(/^beleg: the settings have 3 faults$/mu);
    expect(err).toMatch(/^ {2}PV_PORT: /mu);
    expect(err).toMatch(/^ {2}PV_HOST: .*PV_API_KEY/mu);
    expect(err).toMatch(/^ {2}NATS_URL: EVENTSTORE_URL is missing/mu);
    expect(code).toBe(2);
  });

  test('names the setting where DATA_DIR cannot be created, and exits with 2', async () => {
    const file = join(workspace.kb, 'a-file');
    await writeFile(file, '');
    const { code, err } = await beleg(['serve'], { DATA_DIR: join(file, 'data') });
    expect(err).toContain(
      `\n  DATA_DIR: ${file} is a file, not a folder (ENOTDIR): set DATA_DIR to another path`,
    );
    expect(code).toBe(2);
  });

  test('lists every fault of a knowledge base that cannot be used and exits with 2', async () => {
    await writeFile(join(workspace.kb, 'base.yaml'), 'titel: T\n');
    const { code, err } = await beleg(['serve']);
    expect(err).toMatch(/^ {2}base\.yaml:1: /mu);
    expect(code).toBe(2);
  });

  test('says in one line that its port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { code, err } = await beleg(['serve'], { PV_PORT: String(port) });
    taken.close();
    expect(err).toBe(`beleg: cannot listen on 127.0.0.1:${port} (EADDRINUSE): set PV_PORT to another port\n`);
    expect(code).toBe(1);
    // It has not begun anything either.
    expect(existsSync(join(workspace.data, 'events.db'))).toBe(false);
  });

  test('says in one line that another process uses the data', async () => {
    await serve();
    const { code, err } = await beleg(['serve']);
    expect(err).toMatch(/^beleg: .*set DATA_DIR to another folder.*\n$/u);
    expect(code).toBe(1);
  });

  test('warns of settings it does not know, and says that it records', async () => {
    const { output } = await serve({ PV_AUDIT_ENABELD: 'true', PV_AUDIT_ENABLED: undefined });
    expect(output()).toContain('PV_AUDIT_ENABLED=false switches it off');
  });

  test.each([
    ['keys.db', 'keys.db', false],
    ['tables.db', 'PV_AUDIT_DB_PATH', true],
  ])(
    'with a damaged %s names it and ends, instead of waiting with half of it open',
    async (file, named, isNamed) => {
      await mkdir(workspace.data);
      const record = await openEmbeddedStore({ file: join(workspace.data, 'events.db') });
      await record.close();
      await writeFile(join(workspace.data, file), 'this is not a database'.repeat(100));
      const { code, err } = await beleg(
        ['serve'],
        isNamed ? { PV_AUDIT_DB_PATH: join(workspace.data, file) } : {},
      );
      expect(err).toContain(named);
      expect(code).toBe(1);
    },
  );

  test('with damaged tables of its own builds them anew', async () => {
    await mkdir(workspace.data);
    const record = await openEmbeddedStore({ file: join(workspace.data, 'events.db') });
    await record.close();
    await writeFile(join(workspace.data, 'audit.db'), 'this is not a database'.repeat(100));
    const { client } = await serve();
    expect(await client.ask(QUESTION)).toMatchObject({ status: 200 });
    expect(await readFile(join(workspace.data, 'audit.db'), 'latin1')).toMatch(/^SQLite format 3/u);
  });

  test('writes AUDIT lines between its own when asked to, and goes on when nobody reads them any more', async () => {
    const { client, child, output } = await serve({ PV_AUDIT_STDOUT: 'true', LOG_LEVEL: 'debug' });
    await client.ask(QUESTION, 'r1');
    const event = await vi.waitFor(
      () => JSON.parse(/^AUDIT (.*"AnswerGiven".*)\n/mu.exec(output())![1]!),
      PATIENT,
    );
    expect(event).toMatchObject({ event: 'AnswerGiven', request_id: 'r1' });
    child.stdout!.destroy();
    child.stderr!.destroy();
    for (let n = 0; n < 3; n++) expect(await client.ask(QUESTION)).toMatchObject({ status: 200 });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test.skipIf(!existsSync('/dev/full'))(
    'answers and stops in order while there is no room for what it prints and logs',
    async () => {
      await using full = await open('/dev/full', 'w');
      const child = start(['serve'], { LOG_LEVEL: 'info' }, ['ignore', full.fd, full.fd]);
      const { url } = await vi.waitUntil(
        () =>
          readFile(join(workspace.data, 'listening.json'), 'utf8').then(
            (note) => JSON.parse(note) as { url: string },
            () => undefined,
          ),
        PATIENT,
      );
      const client = new Client(url);
      for (let n = 0; n < 5; n++) expect((await client.ask(QUESTION)).status).toBe(200);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    },
  );

  test.skipIf(!existsSync('/dev/full'))(
    'a command whose output cannot be written says so in one line',
    async () => {
      await using full = await open('/dev/full', 'w');
      const child = start(['ask', QUESTION], {}, ['ignore', full.fd, 'pipe']);
      const [err] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
      expect(err).toMatch(/^beleg: the output cannot be written: ENOSPC.*\n$/u);
      expect(child.exitCode).toBe(1);
    },
  );

  test('on SIGTERM while clients keep asking, answers or refuses each and exits with 0', async () => {
    const { client, child } = await serve({ LOG_LEVEL: 'error' });
    const log = text(child.stderr!);
    const outcomes = new Set<unknown>();
    const answered = Promise.withResolvers<void>();
    const body = JSON.stringify({ question: QUESTION });
    const head = 'content-type: application/json\r\nconnection: close';
    const ask = async (): Promise<string | undefined> => {
      const socket = connect(Number(new URL(client.url).port), '127.0.0.1');
      socket.write(
        `POST /v1/ask HTTP/1.1\r\nhost: localhost\r\n${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      return text(socket).catch((error: NodeJS.ErrnoException) => error.code);
    };
    const clients = Array.from({ length: 120 }, async () => {
      for (let refused = false; !refused;) {
        const answer = await ask();
        const outcome = /^HTTP\/1.1 (?:200|503)/u.exec(answer ?? '')?.[0].slice(-3) ?? answer;
        outcomes.add(outcome === '503' ? /"code":"(\w+)"/u.exec(answer!)?.[1] : outcome);
        if (outcome === '200') answered.resolve();
        refused = outcome !== '200' && outcome !== '503';
      }
    });
    await answered.promise;
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await Promise.all(clients);
    // A connection that was not accepted is refused; every accepted request is answered.
    outcomes.delete('OVERLOADED');
    expect(outcomes).toEqual(new Set(['200', 'ECONNREFUSED', 'RESPONDER_LOST']));
    expect(await log).toBe('');
  });
});

test.each(['--help', '--version', 'audit --help', 'serve --help'])(
  'beleg %s ends quietly where nobody reads its output',
  async (args) => {
    const child = start(args.split(' '));
    child.stdout!.destroy();
    const [err] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
    expect({ code: child.exitCode, err }).toEqual({ code: 0, err: '' });
  },
);
