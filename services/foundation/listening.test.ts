import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { PATIENT } from '../../events/patient.suite.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import {
  assertFree,
  forgetListening,
  keepListening,
  namingPort,
  noteListening,
  readListening,
} from './listening.ts';

test('A port that is taken is named by its setting, before a start and where it is taken meanwhile', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const taken = { code: 'EADDRINUSE', port, setting: 'TD_PORT' };
  await expect(assertFree('TD_PORT', { host: '127.0.0.1', port })).rejects.toMatchObject(taken);
  const late = createServer();
  const listening = namingPort('TD_PORT', () => once(late.listen(port, '127.0.0.1'), 'listening'));
  await expect(listening).rejects.toMatchObject(taken);
  other.close();
});

describe('The note of where a service listens', () => {
  let folder: string;
  const file = () => join(folder, 'listening.json');

  beforeEach(() => {
    folder = temporaryFolder();
  });

  test('is read back until it is taken away', async () => {
    const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    const hosts = ['127.0.0.1', '[::1]', '0.0.0.0', '[::]'];
    const v4 = own.find(({ family }) => family === 'IPv4');
    for (const host of [...hosts, ...(v4 === undefined ? [] : [v4.address])]) {
      await noteListening(folder, `http://${host}:8000`);
      expect(await readListening(folder)).toBe(`http://${host}:8000`);
    }
    await forgetListening(folder);
    expect(await readListening(folder)).toBeNull();
  });

  test.each([
    '{"url":"http://198.51.100.7:8000"}',
    '{"url":"http://[2001:db8::7]:8000"}',
    '{"url":"http://127.0.0.1.example:8000"}',
    '{"url":"http://127.0.0.1@198.51.100.7:8000"}',
    '{"url":"https://127.0.0.1:8000"}',
    '{"url":"http://127.0.',
    '[]',
  ])('leads nowhere else, whoever wrote it: %s', async (text) => {
    writeFileSync(file(), text);
    expect(await readListening(folder)).toBeNull();
  });

  describe('of a service that runs', () => {
    const OURS = 'http://127.0.0.1:8000';
    let look: () => void;
    let logged: string[];

    const keep = () => {
      logged = [];
      return keepListening(
        folder,
        OURS,
        pino({}, { write: (line: string) => logged.push((JSON.parse(line) as { msg: string }).msg) }),
        {
          every: (_ms, run) => {
            look = run;
            return () => (look = () => undefined);
          },
        },
      );
    };
    const isMadeAgain = () =>
      vi.waitFor(() => {
        look();
        expect(readFileSync(file(), 'utf8')).toBe(`{"url":"${OURS}"}`);
      }, PATIENT);

    test.each<[string, () => void]>([
      ['is removed', () => rmSync(file())],
      ['is emptied', () => writeFileSync(file(), '')],
      ['leads to another service', () => writeFileSync(file(), '{"url":"http://127.0.0.1:9"}')],
    ])('is made again when it %s, and said once', async (_, change) => {
      const forget = await keep();
      change();
      await isMadeAgain();
      expect(statSync(file()).mode & 0o777).toBe(0o600);
      await forget();
      expect(logged).toEqual(['listening.json was removed or changed, and has been made again']);
      look();
      expect(await readListening(folder)).toBeNull();
    });

    test('is written as soon as it can be, and said once', async () => {
      mkdirSync(file());
      const forget = await keep();
      for (let round = 0; round < 2; round++) look();
      rmSync(file(), { recursive: true });
      await isMadeAgain();
      await forget();
      expect(logged).toEqual([
        expect.stringContaining('could not be saved'),
        'the address of this service is saved now',
      ]);
    });
  });
});
