import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson, type Json } from '../../json.ts';
import { chainHash } from '../../store/chain.ts';
import { openEmbeddedStore } from '../../store/embedded/embedded.ts';
import { openEmbeddedReader } from '../../store/embedded/read-only.ts';
import { writeEmbeddedFile } from '../../store/embedded/rewrite.suite.ts';
import { sharedFolder } from '../../temporary-folder.suite.ts';
import type { Selection } from '../../store/selection.ts';
import { formatManifest, parseManifest, type ArchivedEvent } from './format.ts';
import { verifyArchive } from './verify.ts';
import { writeArchive } from './write.ts';
import { createSigningKey } from '../keys.ts';
import { writeRecord, type Untouched } from '../tampered-record.suite.ts';

/** Rewrites the events with a matching manifest, like a forger who knows the format. */
function forge(out: string, change: (events: ArchivedEvent[]) => ArchivedEvent[]): void {
  forgeFile(out, (lines) =>
    change(lines.map((line) => JSON.parse(line) as ArchivedEvent)).map(canonicalJson),
  );
}

function forgeFile(out: string, change: (lines: string[]) => string[]): void {
  const path = join(out, 'events.jsonl');
  const text = change(readFileSync(path, 'utf8').trim().split('\n'))
    .map((line) => `${line}\n`)
    .join('');
  writeFileSync(path, text);
  const manifest = parseManifest(readFileSync(join(out, 'manifest.json'), 'utf8'))!;
  const bytes = Buffer.byteLength(text);
  const files = { ...manifest.files, 'events.jsonl': { bytes, sha256: hash('sha256', text) } };
  writeFileSync(join(out, 'manifest.json'), formatManifest({ ...manifest, files }));
}

const stored = (event: ArchivedEvent) => ({
  ...event,
  data: canonicalJson(event.data),
  metadata: canonicalJson(event.metadata),
});

describe('Archives', () => {
  const { key } = createSigningKey();
  const folder = sharedFolder();
  let untouched: Untouched;
  let name = 0;

  beforeAll(async () => {
    const store = await openEmbeddedStore({ file: join(folder, 'events.db') });
    untouched = await writeRecord(store, key);
    await store.close();
  });

  async function archive(selection: Selection = {}, file = 'events.db') {
    const out = join(folder, `archive-${name++}`);
    const reader = openEmbeddedReader({ file: join(folder, file) });
    try {
      const manifest = await writeArchive(reader, { out, selection, publicKey: key.line });
      return { out, manifest, verify: (options = {}) => verifyArchive(out, { key, ...options }) };
    } finally {
      await reader.close();
    }
  }

  test('of the whole record give its root, without a proof for each event', async () => {
    const { out, manifest, verify } = await archive();
    expect(readdirSync(out)).toEqual(['events.jsonl', 'manifest.json']);
    expect(manifest).toMatchObject({
      proof: 'log',
      events: untouched.newest.size,
      newer_events: untouched.rows.length - untouched.newest.size,
      first: { index: 0 },
      last: { index: untouched.newest.size - 1 },
      checkpoint: untouched.newest,
    });
    const [size] = untouched.sizes;
    expect(await verify({ expect: untouched.newest })).toMatchObject({
      events: manifest.events,
      findings: [],
    });
    expect((await verify({ expect: { size, root: 'ab'.repeat(32) } })).findings).toMatchObject([
      { kind: 'expected' },
    ]);
    const lines = readFileSync(join(out, 'events.jsonl'), 'utf8').trim().split('\n');
    for (const line of lines) expect(canonicalJson(JSON.parse(line) as Json)).toBe(line);
  });

  test.each([
    ['a stream', { stream: 'account-paper' }, 6],
    ['a category', { category: 'ask-' }, 40],
    ['types', { type: ['RecordCheckpointed'] }, 2],
    ['a time', { from: '2022-03-01T08:00:00Z', to: '2022-03-01T08:00:01Z' }, 58],
    ['nothing that is there', { stream: 'ask-none' }, 0],
  ])('of %s prove the place of each event', async (_, selection, events) => {
    const { out, manifest, verify } = await archive(selection);
    // It may have people's words, so it is for its owner alone, even after it was moved.
    for (const name of readdirSync(out)) expect(statSync(join(out, name)).mode & 0o077).toBe(0);
    expect(manifest).toMatchObject({ proof: 'inclusion', selection, events });
    expect(readdirSync(out)).toEqual(['events.jsonl', 'manifest.json', 'proofs.jsonl']);
    expect(await verify({ expect: untouched.newest })).toMatchObject({ events, findings: [] });
    expect((await verify({ expect: { size: 5, root: 'ab'.repeat(32) } })).findings).toMatchObject([
      { kind: 'archive', file: 'manifest.json' },
    ]);
  });

  test('are named by the error of a full disk, which names nothing, and leave nothing', async () => {
    const out = join(folder, `archive-${name++}`);
    const reader = openEmbeddedReader({ file: join(folder, 'events.db') });
    const before = readdirSync(folder);
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
    const onProgress = () => {
      throw full;
    };
    const written = writeArchive(reader, { out, selection: {}, publicKey: null, onProgress });
    await expect(written).rejects.toMatchObject({ code: 'ENOSPC', path: out });
    await reader.close();
    expect(readdirSync(folder)).toEqual(before);
  });

  test('are not by another key, and say so without one', async () => {
    const { verify } = await archive({ stream: 'comments' });
    expect((await verify({ key: createSigningKey().key })).findings).toMatchObject([{ kind: 'wrong-key' }]);
    expect((await verify({ key: undefined })).findings).toEqual([]);
  });

  test('are never written over anything, and leave nothing where they are refused', async () => {
    const { out } = await archive();
    const reader = openEmbeddedReader({ file: join(folder, 'events.db') });
    const before = readdirSync(folder);
    await expect(writeArchive(reader, { out, selection: {}, publicKey: null })).rejects.toThrow('exists');
    await reader.close();
    const damaged = untouched.rows.map((row) => (row.stream === 'ask-3' ? { ...row, type: 'Other' } : row));
    writeEmbeddedFile(join(folder, 'damaged.db'), damaged);
    await expect(archive({}, 'damaged.db')).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });
    writeEmbeddedFile(join(folder, 'none.db'), untouched.rows.slice(0, 3));
    await expect(archive({}, 'none.db')).rejects.toThrow('beleg audit checkpoint');
    expect(readdirSync(folder)).toEqual([...before, 'damaged.db', 'none.db'].sort());
  });

  test.each([
    ['whole', {}],
    ['partial', { category: 'ask-' }],
  ])('show any other byte in any file: %s', async (_, selection) => {
    const { out, verify } = await archive(selection);
    const place = fc.record({
      file: fc.constantFrom(...readdirSync(out)),
      at: fc.nat(),
      flip: fc.integer({ min: 1, max: 255 }),
    });
    await fc.assert(
      fc.asyncProperty(place, async ({ file, at, flip }) => {
        const path = join(out, file);
        const bytes = readFileSync(path);
        const other = Buffer.from(bytes);
        other[at % bytes.length]! ^= flip;
        writeFileSync(path, other);
        expect((await verify()).findings).not.toEqual([]);
        writeFileSync(path, bytes);
      }),
      { numRuns: 40 },
    );
    expect((await verify()).findings).toEqual([]);
  });

  test('name an event that was changed, and one whose hash was made to fit', async () => {
    const one = await archive({ stream: 'account-paper' });
    forge(one.out, (events) => events.with(2, { ...events[2]!, data: { n: 99 } }));
    expect((await one.verify()).findings).toEqual([
      expect.objectContaining({ kind: 'changed', stream: 'account-paper', revision: 2 }),
    ]);
    const other = await archive({ stream: 'account-paper' });
    forge(other.out, (events) => {
      const changed = { ...events[5]!, data: { n: 99 } };
      return events.with(5, { ...changed, hash: chainHash(changed.previous, stored(changed)) });
    });
    expect((await other.verify()).findings).toEqual([
      { kind: 'not-included', stream: 'account-paper', revision: 5, index: expect.any(Number) as number },
    ]);
  });

  test('name what was left out of a stream, and what of the whole record', async () => {
    const one = await archive({ stream: 'account-paper' });
    forge(one.out, (events) => events.toSpliced(2, 1));
    expect((await one.verify()).findings).toContainEqual({
      kind: 'missing',
      stream: 'account-paper',
      from: 2,
      to: 2,
      checkpoint: null,
    });
    const all = await archive();
    forge(all.out, (events) => events.slice(0, -1));
    expect((await all.verify()).findings).toContainEqual(expect.objectContaining({ kind: 'tree' }));
  });

  test('that select everything show that everything is here', async () => {
    const part = await archive({ category: '' });
    const claimed = { ...part.manifest, selection: {} };
    writeFileSync(join(part.out, 'manifest.json'), formatManifest(claimed));
    expect((await part.verify()).findings).toEqual([
      expect.objectContaining({ kind: 'archive', file: 'manifest.json' }),
    ]);
  });

  test.each([
    ['two members of one name', (line: string) => line.replace('{"data":', '{"data":{"n":9},"data":')],
    ['white space', (line: string) => line.replace(',"hash"', ', "hash"')],
  ])('hold no line that others may read otherwise: %s', async (_, change) => {
    const { out, verify } = await archive();
    forgeFile(out, (lines) => lines.with(3, change(lines[3]!)));
    expect((await verify()).findings).toEqual([
      { kind: 'archive', file: 'events.jsonl', reason: 'line 4 is not in canonical form' },
    ]);
  });

  test('end, where a pipe stands in place of a file', async () => {
    const { out, verify } = await archive({ stream: 'comments' });
    for (const name of ['events.jsonl', 'proofs.jsonl']) {
      rmSync(join(out, name));
      execFileSync('mkfifo', [join(out, name)]);
      const reason = 'its size or SHA-256 does not match the manifest';
      expect((await verify()).findings).toContainEqual({ kind: 'archive', file: name, reason });
    }
    rmSync(join(out, 'manifest.json'));
    execFileSync('mkfifo', [join(out, 'manifest.json')]);
    expect((await verify()).manifest).toBeNull();
  });

  test('are nothing where files are missing', async () => {
    expect((await verifyArchive(join(folder, 'nowhere'))).findings).toMatchObject([
      { kind: 'archive', file: 'manifest.json' },
    ]);
    const { out, verify } = await archive({ stream: 'comments' });
    rmSync(join(out, 'proofs.jsonl'));
    expect((await verify()).findings).toContainEqual({
      kind: 'archive',
      file: 'proofs.jsonl',
      reason: 'its size or SHA-256 does not match the manifest',
    });
    rmSync(join(out, 'events.jsonl'));
    expect((await verify()).findings).toContainEqual({
      kind: 'archive',
      file: 'events.jsonl',
      reason: 'it cannot be read',
    });
  });
});
