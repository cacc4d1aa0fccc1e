import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Limits } from './document-limits.ts';
import { parseDocuments, type ParsedDocument } from './parse.ts';

const ODD_KINDS = new URL('./odd-kinds.fixture.ts', import.meta.url);
const LIMITS: Limits = { seconds: 20, megabytes: 256, output: 2 };

let cacheDir: string;
beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'documents-'));
});
afterEach(() => rm(cacheDir, { recursive: true }));

const parse = (
  texts: readonly string[],
  limits: Partial<Limits> = {},
  onProgress?: (done: number, total: number) => void,
): Promise<readonly ParsedDocument[]> =>
  parseDocuments(
    texts.map((text, i) => ({ path: `${i}.odd`, bytes: Buffer.from(text) })),
    { cacheDir, kinds: ODD_KINDS, limits: { ...LIMITS, ...limits }, onProgress },
  );

const textOf = ({ document }: ParsedDocument): string | undefined => {
  const [unit] = document?.units ?? [];
  return unit?.kind === 'paragraph' ? unit.text : undefined;
};
const wasParsed = (results: readonly ParsedDocument[]): boolean[] =>
  results.map(({ seconds }) => seconds !== undefined);

describe('parsing in processes', () => {
  it('gives documents in the order of the files, and says how far it is', async () => {
    const texts = Array.from({ length: 40 }, (_, i) => `Text ${i}`);
    const progress: number[] = [];
    const results = await parse(texts, {}, (done, total) => progress.push(done / total));
    expect(results.map(textOf)).toEqual(texts);
    expect(results.map(({ path }) => path)).toEqual(texts.map((_, i) => `${i}.odd`));
    expect(progress).toEqual(texts.map((_, i) => (i + 1) / 40));
  });

  it('names what a file does to its parser, and reads the rest', async () => {
    const odd = ['refuse', 'bug', 'nest', 'empty', 'nonsense', 'deep', 'long', 'exit', 'buffers', 'objects'];
    const results = await parse(['davor', ...odd, 'danach']);
    expect(textOf(results[0]!)).toBe('davor');
    expect(textOf(results.at(-1)!)).toBe('danach');
    expect(results.slice(1, -1).map(({ fault }) => fault)).toEqual([
      'is encrypted',
      expect.stringMatching(/^cannot be read \(TypeError: .*\)$/u),
      'is nested too deeply',
      'has no text',
      'cannot be read (its parser gave no document)',
      'has lists that are nested more than 100 deep',
      'has more than 2 MB of text',
      'cannot be read (its parser ended with 7)',
      'needs more than 256 MB of memory',
      'needs more than 256 MB of memory',
    ]);
  });

  it('says that a file without bytes is empty where no program writes such a file', async () => {
    const files = ['a.docx', 'b.xlsx', 'c.pdf', 'd.pptx', 'e.txt', 'f.html', 'g.eml'];
    const results = await parseDocuments(
      files.map((path) => ({ path, bytes: Buffer.alloc(0) })),
      { cacheDir: null },
    );
    expect(results.map(({ fault }) => fault)).toEqual([
      ...files.slice(0, 4).map(() => 'is empty: it has no bytes'),
      ...files.slice(4).map(() => 'has no text'),
    ]);
  });

  it('ends what takes too long', async () => {
    const results = await parse(['davor', 'hang', 'danach'], { seconds: 2 });
    expect(results.map(({ fault }) => fault)).toEqual([
      undefined,
      // On a busy machine the limit by the clock may come first.
      expect.stringMatching(/^takes longer than 2 seconds to read$|^was not read within 12 seconds/u),
      undefined,
    ]);
  });

  it('counts what the processor works on a file, not what passes by the clock', async () => {
    expect(textOf((await parse(['wait'], { seconds: 1 }))[0]!)).toBe('wait');
    expect(await parse(['wait for ever'], { seconds: 0.5 })).toMatchObject([
      { fault: 'was not read within 3 seconds, the machine may be busy', tryAgain: true },
    ]);
  });

  it('lets take longer what tells that it goes on', async () => {
    expect(textOf((await parse(['parts'], { seconds: 0.4 }))[0]!)).toBe('parts');
  });

  it('does not blame a file for what the files before it left in memory', async () => {
    const results = await parse(Array.from({ length: 6 }, () => 'litter'));
    expect(results.map(textOf)).toEqual(results.map(() => 'litter'));
  });

  it('gives its processes no secrets', async () => {
    process.env['PARSE_TEST_KEY'] = 'geheim';
    try {
      const names = textOf((await parse(['environment']))[0]!)!.split(' ');
      expect(names).toContain('PATH');
      expect(names).not.toContain('PARSE_TEST_KEY');
    } finally {
      delete process.env['PARSE_TEST_KEY'];
    }
  });

  it('leaves no process behind', async () => {
    const [result] = await parse(['process']);
    expect(() => process.kill(Number(textOf(result!)), 0)).toThrow('ESRCH');
  });

  it('names a file of a kind that nothing reads', async () => {
    const files = [{ path: 'bild.png', bytes: Buffer.from('a') }];
    expect(await parseDocuments(files, { cacheDir: null, kinds: ODD_KINDS })).toMatchObject([
      { fault: 'is of a kind that is not read' },
    ]);
  });

  it('fails where its processes cannot start', async () => {
    const files = [{ path: 'a.odd', bytes: Buffer.from('a') }];
    const kinds = new URL('./nothing.ts', import.meta.url);
    await expect(parseDocuments(files, { cacheDir: null, kinds })).rejects.toThrow('did not start');
  });
});

describe('what was parsed is kept', () => {
  it('reads an unchanged file no second time, wherever it lies, nor one that was refused', async () => {
    const first = await parse(['eins', 'refuse', 'zwei']);
    expect(wasParsed(first)).toEqual([true, true, true]);
    const second = await parse(['zwei', 'refuse', 'drei', 'eins']);
    expect(wasParsed(second)).toEqual([false, false, true, false]);
    expect(second.map(({ document, fault }) => document ?? fault)).toEqual([
      first[2]!.document,
      'is encrypted',
      { units: [{ kind: 'paragraph', text: 'drei' }] },
      first[0]!.document,
    ]);
  });

  it('tries a file again over which its parser ended, but for what the file costs', async () => {
    const files = ['exit', 'buffers', 'hang'];
    const first = await parse(files, { seconds: 2 });
    // On a busy machine the last two may not get their two seconds of processor time in twelve.
    const again = first.map(({ fault }, i) => i === 0 || fault!.includes('busy') || undefined);
    expect(first.map(({ tryAgain }) => tryAgain)).toEqual(again);
    expect(wasParsed(await parse(files, { seconds: 2 }))).toEqual(again.map((is) => is === true));
  });

  it('forgets what is no longer among the files', async () => {
    await parse(['eins', 'zwei']);
    await parse(['zwei']);
    expect(wasParsed(await parse(['eins', 'zwei']))).toEqual([true, false]);
    expect(await readdir(cacheDir)).toHaveLength(2);
  });

  it('takes a torn file for none, and leaves alone what is not its own', async () => {
    const [whole] = await parse(['eins']);
    const [name] = await readdir(cacheDir);
    await writeFile(join(cacheDir, name!), 'torn');
    await writeFile(join(cacheDir, 'other.txt'), 'other');
    expect(await parse(['eins'])).toMatchObject([{ document: whole!.document }]);
    expect(wasParsed(await parse(['eins']))).toEqual([false]);
    expect(await readdir(cacheDir)).toContain('other.txt');
  });
});
