import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BelegError } from '../../errors.ts';
import { chainHash } from '../../store/chain.ts';
import { scanRecord } from '../../store/scan-record.ts';
import type { StoredEvent, RecordReader } from '../../store/store.ts';
import { createMatcher, type Selection } from '../../store/selection.ts';
import {
  EVENTS_FILE,
  formatEvent,
  formatManifest,
  formatProof,
  MANIFEST_FILE,
  PROOFS_FILE,
  selectsAll,
  type Manifest,
} from './format.ts';
import { blockProofs, type BlockProofs } from './block-proofs.ts';
import { newestCheckpoint, type Checkpoint } from '../checkpoint.ts';
import { createHash } from 'node:crypto';
import { judgeNote } from '../judge-note.ts';
import { Malformed } from '../malformed.ts';
import { leafHash } from '../merkle.ts';
import { StreamHeads } from '../stream-heads.ts';
import { withPath } from '../../system-error.ts';

interface ArchiveOptions {
  /** The folder to create. It appears once it is complete. */
  readonly out: string;
  readonly selection: Selection;
  /** The public key in one line, for information. */
  readonly publicKey: string | null;
  readonly onProgress?: (done: number, total: number) => void;
}

/** The export is refused. The message says why and what to do. */
class ExportRefused extends Error {
  override readonly name = 'ExportRefused';
}

/**
 * Writes an archive of the events that the record's newest checkpoint covers. The archive can be verified by itself:
 * see `Manifest`. Free text stays encrypted. Memory does not grow with the number of events.
 *
 * @throws {ExportRefused} if there is no checkpoint, the folder exists, or the record does not match the checkpoint.
 * @throws {BelegError} `STORE_UNAVAILABLE`.
 */
export async function writeArchive(store: RecordReader, options: ArchiveOptions): Promise<Manifest> {
  const { out } = options;
  const newest = await newestCheckpoint(store);
  if (newest === null) {
    throw new ExportRefused('the record has no checkpoint yet: make one with `beleg audit checkpoint`');
  }
  assertNew(out);
  await mkdir(dirname(out), { recursive: true });
  const folder = await mkdtemp(join(dirname(out), `.${basename(out)}-`));
  try {
    const manifest = await write(store, newest.checkpoint, folder, options);
    assertNew(out);
    await rename(folder, out);
    return manifest;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw withPath(error, out);
  }
}

function assertNew(out: string): void {
  if (!existsSync(out)) return;
  throw new ExportRefused(`${out} already exists: name a new folder, an archive does not overwrite anything`);
}

async function write(
  store: RecordReader,
  checkpoint: Checkpoint,
  folder: string,
  { selection, publicKey, onProgress }: ArchiveOptions,
): Promise<Manifest> {
  const { size, root, note } = checkpoint;
  const judged = judgeNote(note, checkpoint.heads, undefined);
  if (judged instanceof Malformed || judged.root !== root || judged.size !== size) throw doesNotAddUp();
  const isWhole = selectsAll(selection);
  const matches = createMatcher(selection);
  const events = await openHashedFile(join(folder, EVENTS_FILE));
  const leaves = join(folder, 'leaves');
  const proofs = blockProofs(await open(leaves, 'wx+'));
  try {
    const heads = new StreamHeads();
    const selected = new Set<string>();
    let first: Manifest['first'] = null;
    let last: { index: number; event: StoredEvent } | null = null;
    let index = 0;
    let taken = 0;
    let newer = 0;
    for await (const page of scanRecord(store)) {
      const covered = page.events.slice(0, size - index);
      newer += page.events.length - covered.length;
      if (covered.length > 0 && page.faults.length > 0) throw doesNotAddUp();
      const lines: string[] = [];
      for (const event of covered) {
        const { stream, revision, hash } = event;
        const head = heads.of(stream);
        const previous = head.hash;
        if (revision !== head.revision + 1 || chainHash(previous, event) !== hash) {
          throw doesNotAddUp();
        }
        head.revision = revision;
        head.hash = hash;
        const isSelected = matches(event, () => timeOf(event));
        await proofs.add(leafHash(Buffer.from(hash, 'hex')), isSelected && !isWhole);
        if (isSelected) {
          lines.push(formatEvent(event, index, previous));
          selected.add(stream);
          taken += 1;
          first ??= placeOf(index, event);
          last = { index, event };
        }
        index += 1;
      }
      if (lines.length > 0) await events.write(lines.join(''));
      onProgress?.(index, size);
      if (index === size && page.total !== null) {
        newer = page.total - size;
        break;
      }
    }
    if (index !== size || (await proofs.root()) !== root) throw doesNotAddUp();
    const files: Manifest['files'] = { [EVENTS_FILE]: await events.finish() };
    if (!isWhole) files[PROOFS_FILE] = await writeProofs(proofs, join(folder, PROOFS_FILE));
    const manifest: Manifest = {
      format: 'beleg-archive',
      version: 1,
      origin: judged.origin,
      selection,
      events: taken,
      streams: selected.size,
      first,
      last: last && placeOf(last.index, last.event),
      checkpoint: { size, root, note, heads: judged.headsHash, public_key: publicKey },
      newer_events: newer,
      proof: isWhole ? 'log' : 'inclusion',
      files,
    };
    await writeFile(join(folder, MANIFEST_FILE), formatManifest(manifest), {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
    return manifest;
  } finally {
    await events.abandon();
    await proofs.close();
    await rm(leaves, { force: true });
  }
}

async function writeProofs(proofs: BlockProofs, path: string) {
  const file = await openHashedFile(path);
  try {
    let lines: string[] = [];
    for await (const { index, proof } of proofs.proofs()) {
      lines.push(formatProof(index, proof));
      if (lines.length < 256) continue;
      await file.write(lines.join(''));
      lines = [];
    }
    await file.write(lines.join(''));
    return await file.finish();
  } finally {
    await file.abandon();
  }
}

/** The time that an event states for itself; empty if it states none. */
function timeOf({ metadata }: StoredEvent): string {
  const { at } = JSON.parse(metadata) as { at?: unknown };
  return typeof at === 'string' ? at : '';
}

function placeOf(index: number, event: StoredEvent): NonNullable<Manifest['first']> {
  return { index, position: event.position, at: timeOf(event) };
}

function doesNotAddUp(): BelegError {
  return new BelegError('STREAM_CORRUPT', {
    detail: 'the record does not match its newest checkpoint; run `beleg audit verify` to see what is wrong',
  });
}

/**
 * Creates a file that only its owner can read. It is written from beginning to end and hashed. Rejects if the file
 * exists.
 */
async function openHashedFile(path: string) {
  const handle = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    async write(text: string): Promise<void> {
      const part = Buffer.from(text);
      hash.update(part);
      bytes += part.length;
      // Continues after an incomplete write.
      await handle.appendFile(part);
    },
    /** Resolves when the file is on disk. */
    async finish() {
      await handle.sync();
      await handle.close();
      return { bytes, sha256: hash.digest('hex') };
    },
    abandon: () => handle.close(),
  };
}
