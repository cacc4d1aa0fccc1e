import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { MakeCheckpoint, type RecordStatus } from '../../../events/messages/audit.ts';
import { createSigningKey, readSigningKey, readVerifierKey } from '../../../events/proof/keys.ts';
import { signNote } from '../../../events/proof/signed-note.ts';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { loadSigningKey } from '../../audit/checkpoints/signing-key.ts';
import { SettingsError } from '../../foundation/settings-error.ts';
import type { OperatorLink } from '../link/operator-link.ts';
import { makeCheckpoint } from './checkpoint.ts';
import { createKey } from './create-key.ts';

const { key, pem } = createSigningKey();
const ROOT = 'ab'.repeat(32);
const TEXT = `beleg/0123456789abcdef\n1234\nroot\nheads x\n`;
const MADE = { size: 1234, root: ROOT, note: signNote(TEXT, [key]), repeated: false };

/** A link to a service that gives this reply. */
function linkTo(
  made: z.output<typeof MakeCheckpoint.reply>,
  checkpoint: z.output<typeof RecordStatus.reply>['checkpoint'],
): Pick<OperatorLink, 'call'> {
  return {
    call: async (definition) =>
      definition.reply.parse(
        definition.subject === MakeCheckpoint.subject ? made : { checkpoint, erased: 0 },
      ),
  };
}

const NEWEST = { size: 1234, root: ROOT, at: '2026-01-01T00:00:00.000Z', key: key.line };

describe('beleg audit checkpoint', () => {
  test('prints size, root, key, how to verify it, and the note', async () => {
    expect(await makeCheckpoint(linkTo(MADE, NEWEST), { json: false })).toBe(
      [
        '1,234 events',
        '',
        `  root    ${ROOT}`,
        `  key     ${key.line}`,
        `  verify  beleg audit verify --expect 1234:${ROOT}`,
        '',
        MADE.note.trimEnd(),
      ].join('\n'),
    );
  });

  test('says that nothing is new, that nothing is signed, that nothing is there', async () => {
    const repeated = linkTo({ ...MADE, repeated: true }, NEWEST);
    expect(await makeCheckpoint(repeated, { json: false })).toContain(
      'no new events since the last checkpoint',
    );
    const unsigned = linkTo({ ...MADE, note: `${TEXT}\n` }, { ...NEWEST, key: null });
    expect(await makeCheckpoint(unsigned, { json: false })).toContain('AUDIT_SIGNING_KEY is not set');
    const empty = linkTo({ size: 0, root: ROOT, note: '', repeated: true }, null);
    expect(await makeCheckpoint(empty, { json: false })).toBe(
      'The record is empty: there is nothing to make a checkpoint of yet.',
    );
  });

  test('names the key of this checkpoint where another came in between', async () => {
    const text = await makeCheckpoint(linkTo(MADE, { ...NEWEST, size: 1300, key: null }), { json: true });
    expect(JSON.parse(text)).toEqual({ ...MADE, key: `beleg+${key.keyId}` });
  });
});

describe('a signing key', () => {
  let folder: string;
  let file: string;
  let out: string[];

  beforeEach(async () => {
    folder = temporaryFolder();
    file = join(folder, 'signing.pem');
    out = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void out.push(line));
    vi.spyOn(console, 'error').mockImplementation((line: string) => void out.push(line));
  });

  afterEach(async () => {
    vi.restoreAllMocks();
  });

  test('is made for its owner alone, and its public half is all that is printed', async () => {
    await createKey({ out: file });
    const made = readSigningKey(await readFile(file, 'utf8'));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(readVerifierKey(out[0]!).line).toBe(made.line);
    expect(out[1]).toContain(`AUDIT_SIGNING_KEY=${file}`);
    expect(out.join('\n')).not.toContain('PRIVATE');
    expect(loadSigningKey(file)?.line).toBe(made.line);
  });

  test('never takes the place of a file', async () => {
    await writeFile(file, 'mine');
    await expect(createKey({ out: file })).rejects.toThrow('is not overwritten');
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect(out).toEqual([]);
    await expect(createKey({ out: join(folder, 'missing', 'k.pem') })).rejects.toThrow('cannot be written');
  });

  test('that cannot be used is a fault of its setting, which tells nothing of the file', async () => {
    expect(loadSigningKey(null)).toBeNull();
    for (const content of [
      'secret stuff',
      pem.slice(0, 80),
      key.publicKey.export({ type: 'spki', format: 'pem' }),
    ]) {
      await writeFile(file, content);
      const fault = faultOf(() => loadSigningKey(file));
      expect(fault).toMatch(/^AUDIT_SIGNING_KEY: .*Ed25519 key in PEM/);
      expect(fault).not.toContain('secret');
      expect(fault).not.toContain(pem.split('\n')[1]!.slice(0, 20));
    }
    expect(faultOf(() => loadSigningKey(join(folder, 'none')))).toContain('cannot be read (ENOENT)');
    expect(faultOf(() => loadSigningKey(folder))).toContain('cannot be read (EISDIR)');
  });
});

function faultOf(load: () => unknown): string {
  try {
    load();
  } catch (error) {
    if (error instanceof SettingsError) return error.faults.join('\n');
    throw error;
  }
  return '';
}
