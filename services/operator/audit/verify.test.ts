import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createSigningKey } from '../../../events/proof/keys.ts';
import { writeRecord, type Untouched } from '../../../events/proof/tampered-record.suite.ts';
import { openEmbeddedStore } from '../../../events/store/embedded/embedded.ts';
import { writeEmbeddedFile } from '../../../events/store/embedded/rewrite.suite.ts';
import { sharedFolder } from '../../../events/temporary-folder.suite.ts';
import { exportRecord, formatExport, writeExport } from './export.ts';
import { formatVerdict, judge, verdictJson, type VerifyArguments } from './verify.ts';

describe('beleg audit verify and export', () => {
  const { key, pem } = createSigningKey();
  const folder = sharedFolder();
  let untouched: Untouched;
  let given: Required<Pick<VerifyArguments, 'key'>>;
  let variables: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const store = await openEmbeddedStore({ file: join(folder, 'events.db') });
    untouched = await writeRecord(store, key);
    await store.close();
    writeFileSync(join(folder, 'checkpoints.jsonl'), `${untouched.lines.join('\n')}\n{"heads":[{"ha`);
    writeFileSync(join(folder, 'public.key'), `${key.line}\n`);
    writeFileSync(join(folder, 'private.pem'), pem);
    given = { key: join(folder, 'public.key') };
    variables = { DATA_DIR: folder, AUDIT_SIGNING_KEY: join(folder, 'private.pem') };
  });

  const noted = (): string => `${untouched.newest.size}:${untouched.newest.root}`;

  /** The same settings with a copy of the record that was tampered with. */
  function tampered(name: string, gone: string): NodeJS.ProcessEnv {
    const other = mkdtempSync(join(folder, name));
    writeEmbeddedFile(
      join(other, 'events.db'),
      untouched.rows.filter(({ stream }) => stream !== gone),
    );
    return { DATA_DIR: other, AUDIT_CHECKPOINT_FILE: join(folder, 'checkpoints.jsonl') };
  }

  test('a whole record: figures, what is covered, and who signed', async () => {
    const seen: number[] = [];
    const verdict = await judge({ ...given, expect: noted() }, variables, (done) => seen.push(done));
    expect(verdict.findings).toEqual([]);
    const text = formatVerdict(verdict);
    expect(text).toContain('The record is intact.');
    expect(text).toContain('60 in 14 streams');
    expect(text).toContain('3 in the record, 3 in ');
    expect(text).toContain(
      'the first 58 events; the 2 after them are only protected by the hash chain of their stream',
    );
    expect(text).toContain(`checked against ${key.name}+${key.keyId}`);
    expect(seen).toContain(60);
    expect(formatVerdict(await judge({}, variables))).toContain('not checked, because no --key was given');
    expect(formatVerdict(await judge({ stream: 'account-paper' }, variables))).toContain(
      'account-paper is intact.',
    );
    const elsewhere = { ...variables, AUDIT_CHECKPOINT_FILE: '/elsewhere.jsonl' };
    expect(formatVerdict(await judge({}, elsewhere))).toContain(
      '3 in the record, none outside the record: there is no file /elsewhere.jsonl; 3 agree',
    );
  });

  /** Verdicts on a record of its own, with checkpoints signed by these keys. */
  async function judged(name: string, ...keys: Parameters<typeof writeRecord>[1][]) {
    const other = mkdtempSync(join(folder, name));
    const store = await openEmbeddedStore({ file: join(other, 'events.db') });
    const { sizes } = await writeRecord(store, keys[0]!, ...keys.slice(1));
    await store.close();
    const of = { DATA_DIR: other };
    const out = join(other, 'archive');
    await writeExport({ out }, of);
    return {
      sizes,
      record: formatVerdict(await judge(given, of)),
      stream: formatVerdict(await judge({ ...given, stream: 'ask-1' }, of)),
      archive: formatVerdict(await judge({ ...given, archive: out }, {})),
    };
  }

  test('a record signed later says from where on; one never signed is not whole, nor its archive', async () => {
    const later = await judged('later-', null, key);
    const from =
      `checked against ${key.name}+${key.keyId}: signed since size ${later.sizes[1]}; ` +
      'the first signed checkpoint also covers the events before it';
    expect(later.record).toMatch(/^The record is intact\./u);
    expect(later.record).toContain(from);
    expect(later.stream).toContain(from);
    expect(later.archive).toMatch(/^The archive is intact\.[^]*checked against/u);
    const never = await judged('never-', null);
    for (const text of [never.record, never.stream, never.archive]) {
      expect(text).toContain(`no signature by ${key.name}+${key.keyId}`);
      expect(text).toContain('not signed with the given key');
    }
  });

  test('a stream that is not there is nothing to call whole', async () => {
    expect(await judge({ stream: 'ask-none' }, variables)).toMatchObject({ isUnknown: true, findings: [] });
    expect(await judge({ stream: 'ask-7' }, tampered('none-', 'ask-7'))).toMatchObject({
      isUnknown: false,
      findings: [{ kind: 'stream-missing', stream: 'ask-7' }],
    });
  });

  test('a record without a stream: it is named, for people and for programs', async () => {
    const verdict = await judge(given, tampered('gone-', 'ask-7'));
    const text = formatVerdict(verdict);
    expect(text).toContain('The record is NOT intact: ');
    expect(text).toContain('ask-7 is missing: revisions 0 to 3, last seen at checkpoint 45');
    const json = JSON.parse(verdictJson(verdict)) as { whole: boolean; findings: unknown[] };
    expect(json.whole).toBe(false);
    expect(json.findings).toContainEqual({
      kind: 'stream-missing',
      stream: 'ask-7',
      from: 0,
      to: 3,
      checkpoint: 45,
      message: 'ask-7 is missing: revisions 0 to 3, last seen at checkpoint 45',
    });
  });

  test('names in a record that was tampered with steer no terminal', () => {
    const stream = '\u001b[2J\u001b[HThe record is intact.\n\u001b[8m';
    const findings = [{ kind: 'stream-missing', stream, from: 0, to: 0, checkpoint: 1 }] as const;
    const verdict = { subject: stream, findings, more: 0, facts: [['a', 'b']], figures: {} } as const;
    for (const text of [formatVerdict(verdict), verdictJson(verdict)]) {
      expect(text).not.toMatch(/[^\P{Cc}\n]/u);
      expect(text).not.toMatch(/^The record is whole/mu);
    }
  });

  test('a line that was copied by hand counts without its end', async () => {
    const checkpoints = join(folder, 'copied.jsonl');
    writeFileSync(checkpoints, untouched.lines[0]!);
    const text = formatVerdict(await judge({ ...given, checkpoints }, variables));
    expect(text).toContain('3 in the record, 1 in ');
  });

  test('an archive needs no settings; a changed one is found', async () => {
    const out = join(folder, 'archive');
    const manifest = await writeExport({ out, category: 'ask-' }, variables);
    expect(manifest.checkpoint.public_key).toBe(key.line);
    expect(formatExport(manifest, out)).toContain('2 newer events left out');
    const verdict = await judge({ ...given, archive: out, expect: noted() }, { DATA_DIR: '' });
    expect(formatVerdict(verdict)).toContain('The archive is intact.');
    writeFileSync(join(out, 'proofs.jsonl'), '');
    expect((await judge({ archive: out }, {})).findings).not.toEqual([]);
    await expect(writeExport({ out }, variables)).rejects.toThrow('does not overwrite');
  });

  test('an archive of nothing is no success', async () => {
    vi.stubEnv('DATA_DIR', folder);
    const said = vi.spyOn(console, 'error').mockReturnValue();
    vi.spyOn(console, 'log').mockReturnValue();
    await exportRecord({ out: join(folder, 'nothing'), stream: 'ask-nobody' });
    expect(said).toHaveBeenCalledWith(expect.stringContaining('no event matches'));
    expect(process.exitCode).toBe(5);
    process.exitCode = undefined;
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  test.each<[string, VerifyArguments, string]>([
    ['an expectation that is none', { expect: '5' }, '--expect must be SIZE:ROOT'],
    ['a key that is not there', { key: '/nowhere.key' }, 'cannot be read'],
    ['a file of checkpoints that is not there', { checkpoints: '/nowhere.jsonl' }, 'there is no file'],
    ['a stream of an archive', { archive: '/nowhere', stream: 's' }, '--archive can only be combined'],
    [
      'an expectation of a stream',
      { stream: 's', expect: `1:${'0'.repeat(64)}` },
      'cannot be combined with --stream',
    ],
  ])('%s is refused', async (_, options, message) => {
    await expect(judge(options, variables)).rejects.toThrow(message);
  });

  test('a private key is no key to verify with, and is not shown', async () => {
    const refused = judge({ key: join(folder, 'private.pem') }, variables);
    await expect(refused).rejects.toThrow('this is a private key');
    await expect(refused).rejects.not.toThrow(pem.split('\n')[1]!);
  });
});
