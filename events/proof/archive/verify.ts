import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson, readJson } from '../../json.ts';
import { chainHash } from '../../store/chain.ts';
import { createMatcher } from '../../store/selection.ts';
import type { Position } from '../../store/store.ts';
import {
  ArchivedEvent,
  ArchivedProof,
  EVENTS_FILE,
  formatEvent,
  hasWholeStreams,
  MANIFEST_FILE,
  parseManifest,
  PROOFS_FILE,
  selectsAll,
  type Manifest,
} from './format.ts';
import { Findings } from '../finding-words.ts';
import { judgeNote } from '../judge-note.ts';
import type { VerifierKey } from '../keys.ts';
import { HashedLines } from './hashed-lines.ts';
import { Malformed } from '../malformed.ts';
import { GrowingTree, leafHash } from '../merkle.ts';
import { verifyInclusion } from '../merkle-proofs.ts';
import { StreamHeads } from '../stream-heads.ts';
import { originOf } from '../tree-head.ts';
import { isSystemError } from '../../system-error.ts';

interface VerifyArchiveOptions {
  readonly key?: VerifierKey | undefined;
  /** Size and root (hexadecimal) that were noted outside the archive. */
  readonly expect?: { readonly size: number; readonly root: string } | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The largest manifest that is read. A manifest only names types and a few files. */
const MAX_MANIFEST_BYTES = 1024 * 1024;

/** The number of events after which others get a turn on the event loop. */
const STRIDE = 512;

/**
 * Verifies an archive by itself: its files, each event's hash, the chains between neighbours, that every event is in
 * the record which the checkpoint covers, and who signed the checkpoint.
 */
export async function verifyArchive(folder: string, options: VerifyArchiveOptions = {}) {
  const findings = new Findings();
  const manifest = await readManifest(join(folder, MANIFEST_FILE));
  if (manifest === undefined) {
    findings.add({ kind: 'archive', file: MANIFEST_FILE, reason: 'it is missing or was changed' });
  }
  const judged = manifest && (await judgeArchive(folder, manifest, options, findings));
  return {
    /** `null` if the manifest cannot be read. */
    manifest: manifest ?? null,
    events: judged?.events ?? 0,
    streams: judged?.streams ?? 0,
    /** Whether the archive's checkpoint, which covers everything in the archive, is signed with the given key. */
    isSigned: judged?.isSigned ?? false,
    findings: findings.kept,
    more: findings.more,
  };
}

async function readManifest(path: string): Promise<Manifest | undefined> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > MAX_MANIFEST_BYTES) return undefined;
    return parseManifest(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

async function judgeArchive(
  folder: string,
  manifest: Manifest,
  options: VerifyArchiveOptions,
  findings: Findings,
) {
  const { checkpoint, origin, selection } = manifest;
  const matches = createMatcher(selection);
  const heads = new StreamHeads();
  const tree = new GrowingTree();
  const root = Buffer.from(checkpoint.root, 'hex');
  const proofLines = manifest.proof === 'inclusion' ? new HashedLines(join(folder, PROOFS_FILE)) : undefined;
  const proofs = proofLines?.[Symbol.asyncIterator]();
  let lastIndex = -1;
  let count = 0;
  let isSigned = false;
  let expected: string | undefined;

  async function judgeFile(
    name: string,
    known: { bytes: number; sha256: string } | undefined,
    read: (lines: HashedLines) => Promise<void>,
    lines = new HashedLines(join(folder, name)),
  ): Promise<void> {
    try {
      await read(lines);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return wrong(name, 'it cannot be read');
    }
    if (lines.bytes !== known?.bytes || lines.sha256() !== known.sha256) {
      wrong(name, 'its size or SHA-256 does not match the manifest');
    }
  }

  async function take(line: string): Promise<void> {
    count += 1;
    const event = readJson(ArchivedEvent, line);
    const proof = await proofs?.next().catch(() => undefined);
    if (event === undefined) {
      return wrong(EVENTS_FILE, `line ${count} is not an event`);
    }
    const { stream, revision, index, previous, hash } = event;
    const stored = { ...event, data: canonicalJson(event.data), metadata: canonicalJson(event.metadata) };
    // Requires the canonical line, because other programs might read another line differently: some take the first of
    // two members with one name.
    if (formatEvent({ ...stored, position: event.position as Position }, index, previous) !== `${line}\n`) {
      wrong(EVENTS_FILE, `line ${count} is not in canonical form`);
    }
    if (chainHash(previous, stored) !== hash) {
      findings.add({ kind: 'changed', stream, revision, id: event.id });
    }
    if (index <= lastIndex || index >= checkpoint.size) {
      wrong(EVENTS_FILE, `line ${count} is in the wrong order`);
    }
    lastIndex = index;
    follow(event);
    if (index === 0 && originOf(hash) !== origin) {
      findings.add({ kind: 'other-record', source: 'archive', origin, found: originOf(hash) });
    }
    const { at } = event.metadata;
    const isSelected = matches(event, () => (typeof at === 'string' ? at : ''));
    const isEnd = (end: Manifest['first']): boolean =>
      end?.index === index && end.position === event.position && end.at === at;
    if (!isSelected) wrong(EVENTS_FILE, `line ${count} does not belong to the selection`);
    if (count === 1 && !isEnd(manifest.first))
      wrong(MANIFEST_FILE, 'the first event does not match the manifest');
    if (count === manifest.events && !isEnd(manifest.last)) {
      wrong(MANIFEST_FILE, 'the last event does not match the manifest');
    }
    include(event, proof?.done === false ? proof.value : undefined);
  }

  /** Compares the event with the previous one of its stream, if the archive has it. */
  function follow({ stream, revision, previous, hash, id, position }: ArchivedEvent): void {
    const head = heads.of(stream);
    const last = head.revision;
    if (revision <= last) {
      findings.add({ kind: 'out-of-order', stream, revision, position });
      return;
    }
    const isNext = revision === last + 1;
    if (!isNext && hasWholeStreams(selection)) {
      findings.add({ kind: 'missing', stream, from: last + 1, to: revision - 1, checkpoint: null });
    }
    if (isNext && previous !== head.hash) {
      findings.add({ kind: 'changed', stream, revision, id });
    }
    head.revision = revision;
    head.hash = hash;
  }

  function include({ stream, revision, index, hash }: ArchivedEvent, line: string | undefined): void {
    const leaf = leafHash(Buffer.from(hash, 'hex'));
    if (manifest.proof === 'log') {
      tree.append(leaf);
      if (tree.size === options.expect?.size) expected = tree.root().toString('hex');
      return;
    }
    const { size } = checkpoint;
    const given = line === undefined ? undefined : readJson(ArchivedProof, line);
    const proof = given?.proof.map((encoded) => Buffer.from(encoded, 'base64')) ?? [];
    const isIncluded =
      given?.index === index && verifyInclusion({ index, size, leafHash: leaf, proof, root });
    if (!isIncluded) findings.add({ kind: 'not-included', stream, revision, index });
  }

  /** Checks that the tree of all events has the root of the checkpoint. */
  function judgeLog(): void {
    const { size } = checkpoint;
    if (tree.size === size && tree.root().equals(root)) return;
    findings.add({ kind: 'tree', after: 0, upTo: size, expected: size, found: tree.size });
  }

  function judgeExpected(): void {
    const { expect } = options;
    const { size } = checkpoint;
    if (expect === undefined) return;
    const found = expect.size === size ? checkpoint.root : expected;
    if (found === undefined) {
      wrong(
        MANIFEST_FILE,
        `the archive is of checkpoint ${size}, so a root over ${expect.size} events cannot be compared with it`,
      );
    } else if (found !== expect.root) {
      findings.add({ kind: 'expected', ...expect, events: size, agreesUpTo: 0 });
    }
  }

  function wrong(file: string, reason: string): void {
    findings.add({ kind: 'archive', file, reason });
  }

  function judgeCheckpoint(): void {
    const judged = judgeNote(checkpoint.note, null, options.key);
    const source = 'archive';
    const place = MANIFEST_FILE;
    if (judged instanceof Malformed) {
      findings.add({ kind: 'checkpoint-invalid', source, place, reason: judged.message });
      return;
    }
    const { size, root, headsHash, doubt } = judged;
    if (size !== checkpoint.size || root !== checkpoint.root || headsHash !== checkpoint.heads) {
      const reason = 'its note does not match the size, root or heads in the manifest';
      findings.add({ kind: 'checkpoint-invalid', source, place, reason });
    }
    if (manifest.proof === 'inclusion' && selectsAll(selection)) {
      // Proofs of inclusion say nothing about events that are missing.
      wrong(
        MANIFEST_FILE,
        'it claims to contain all events, but its proof does not show that none is missing',
      );
    }
    if (judged.origin !== origin) {
      findings.add({ kind: 'other-record', source, origin: judged.origin, found: origin });
    }
    isSigned = options.key !== undefined && doubt === null;
    if (doubt !== null) findings.add({ kind: doubt, source, from: size, to: size, checkpoints: 1 });
  }

  judgeCheckpoint();
  const { files, events, streams } = manifest;
  await judgeFile(EVENTS_FILE, files[EVENTS_FILE], async (lines) => {
    for await (const line of lines) {
      await take(line);
      if (count % STRIDE === 0) {
        options.onProgress?.(count, events);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  });
  if (proofLines !== undefined) {
    await judgeFile(
      PROOFS_FILE,
      files[PROOFS_FILE],
      async () => {
        // Each event has had its proof, so a proof that is left over belongs to none.
        for (let next = await proofs!.next(); next.done !== true; next = await proofs!.next()) {
          wrong(PROOFS_FILE, 'it has more lines than the archive has events');
        }
      },
      proofLines,
    );
  }
  if (count !== events || heads.size !== streams) {
    wrong(EVENTS_FILE, `it has ${count} events of ${heads.size} streams, not ${events} of ${streams}`);
  }
  if (manifest.proof === 'log') judgeLog();
  judgeExpected();
  return { events: count, streams: heads.size, isSigned };
}
