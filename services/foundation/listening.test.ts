import { writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { forgetListening, noteListening, readListening } from './listening.ts';

describe('The note of where a service listens', () => {
  let folder: string;

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
    writeFileSync(join(folder, 'listening.json'), text);
    expect(await readListening(folder)).toBeNull();
  });
});
