import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson, readJson } from '../../json.ts';
import { chainHash } from '../../store/chain.ts';
import { createMatcher, type Matcher } from '../../store/selection.ts';
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
import { Findings } from '../finding.ts';
import { judgeNote } from '../judge-note.ts';
import type { VerifierKey } from '../keys.ts';
import { HashedLines } from './hashed-lines.ts';
import { Malformed } from '../malformed.ts';
import { GrowingTree, leafHash } from '../merkle.ts';
import { verifyInclusion } from '../merkle-proofs.ts';
import { StreamHeads } from '../stream-heads.ts';
import { originOf } from '../tree-head.ts';

interface VerifyArchiveOptions {
  readonly key?: VerifierKey | undefined;
  /** What was noted somewhere else; the root in hexadecimal. */
  readonly expect?: { readonly size: number; readonly root: string } | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** It names types and a few files. */
const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Pages of the event loop between two looks of others. */
const STRIDE = 512;

/**
 * Verifies an archive with nothing else at hand: its files, each event's hash, chains between neighbours, that all of
 * it is in the record that the checkpoint covers, and who signed that.
 */
export async function verifyArchive(folder: string, options: VerifyArchiveOptions = {}) {
  const findings = new Findings();
  const manifest = await readManifest(join(folder, MANIFEST_FILE));
  const archive = manifest && new Archive(folder, manifest, options, findings);
  if (archive === undefined) {
    findings.add({ kind: 'archive', file: MANIFEST_FILE, reason: 'it is missing or was changed' });
  } else {
    archive.judgeCheckpoint();
    await archive.readEvents();
  }
  return {
    /** `null` where it cannot be read. */
    manifest: manifest ?? null,
    events: archive?.events ?? 0,
    streams: archive?.streams ?? 0,
    /** Whether its checkpoint, which covers all that is in it, is signed with the given key. */
    isSigned: archive?.isSigned ?? false,
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

class Archive {
  readonly #folder: string;
  readonly #manifest: Manifest;
  readonly #options: VerifyArchiveOptions;
  readonly #findings: Findings;
  readonly #matches: Matcher;
  readonly #heads = new StreamHeads();
  readonly #tree = new GrowingTree();
  readonly #root: Buffer;
  #proofs: AsyncIterator<string> | undefined;
  #last = -1;
  #expected: string | undefined;
  events = 0;
  isSigned = false;

  constructor(folder: string, manifest: Manifest, options: VerifyArchiveOptions, findings: Findings) {
    this.#folder = folder;
    this.#manifest = manifest;
    this.#options = options;
    this.#findings = findings;
    this.#matches = createMatcher(manifest.selection);
    this.#root = Buffer.from(manifest.checkpoint.root, 'hex');
  }

  get streams(): number {
    return this.#heads.size;
  }

  judgeCheckpoint(): void {
    const { checkpoint, origin } = this.#manifest;
    const judged = judgeNote(checkpoint.note, null, this.#options.key);
    const source = 'archive';
    const place = MANIFEST_FILE;
    if (judged instanceof Malformed) {
      this.#findings.add({ kind: 'checkpoint-invalid', source, place, reason: judged.message });
      return;
    }
    const { size, root, headsHash, doubt } = judged;
    if (size !== checkpoint.size || root !== checkpoint.root || headsHash !== checkpoint.heads) {
      const reason = 'its note does not match the size, root or heads in the manifest';
      this.#findings.add({ kind: 'checkpoint-invalid', source, place, reason });
    }
    if (this.#manifest.proof === 'inclusion' && selectsAll(this.#manifest.selection)) {
      // Proofs of places say nothing of events that are not here.
      this.#wrong(
        MANIFEST_FILE,
        'it claims to contain all events, but its proof does not show that none is missing',
      );
    }
    if (judged.origin !== origin) {
      this.#findings.add({ kind: 'other-record', source, origin: judged.origin, found: origin });
    }
    this.isSigned = this.#options.key !== undefined && doubt === null;
    if (doubt !== null) this.#findings.add({ kind: doubt, source, from: size, to: size, checkpoints: 1 });
  }

  async readEvents(): Promise<void> {
    const { files, proof, events, streams, checkpoint } = this.#manifest;
    const proofs = proof === 'inclusion' ? new HashedLines(join(this.#folder, PROOFS_FILE)) : undefined;
    this.#proofs = proofs?.[Symbol.asyncIterator]();
    await this.#readFile(EVENTS_FILE, files[EVENTS_FILE], async (lines) => {
      for await (const line of lines) {
        await this.#take(line);
        if (this.events % STRIDE === 0) {
          this.#options.onProgress?.(this.events, events);
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
    });
    if (proofs !== undefined) {
      await this.#readFile(
        PROOFS_FILE,
        files[PROOFS_FILE],
        async () => {
          // What is left when each event had its own.
          for (let next = await this.#proofs!.next(); next.done !== true; next = await this.#proofs!.next()) {
            this.#wrong(PROOFS_FILE, 'it has more lines than the archive has events');
          }
        },
        proofs,
      );
    }
    if (this.events !== events || this.streams !== streams) {
      this.#wrong(
        EVENTS_FILE,
        `it has ${this.events} events of ${this.streams} streams, not ${events} of ${streams}`,
      );
    }
    if (proof === 'log') this.#judgeLog();
    this.#judgeExpected(checkpoint);
  }

  async #readFile(
    name: string,
    known: { bytes: number; sha256: string } | undefined,
    read: (lines: HashedLines) => Promise<void>,
    lines = new HashedLines(join(this.#folder, name)),
  ): Promise<void> {
    try {
      await read(lines);
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      return this.#wrong(name, 'it cannot be read');
    }
    if (lines.bytes !== known?.bytes || lines.sha256() !== known.sha256) {
      this.#wrong(name, 'its size or SHA-256 does not match the manifest');
    }
  }

  async #take(line: string): Promise<void> {
    this.events += 1;
    const event = readJson(ArchivedEvent, line);
    const proof = await this.#proofs?.next().catch(() => undefined);
    if (event === undefined) {
      return this.#wrong(EVENTS_FILE, `line ${this.events} is not an event`);
    }
    const { stream, revision, index, previous, hash } = event;
    const { first, last, checkpoint, origin } = this.#manifest;
    const stored = { ...event, data: canonicalJson(event.data), metadata: canonicalJson(event.metadata) };
    // Others may read it otherwise: of two members of one name they take the first.
    if (formatEvent({ ...stored, position: event.position as Position }, index, previous) !== `${line}\n`) {
      this.#wrong(EVENTS_FILE, `line ${this.events} is not in canonical form`);
    }
    if (chainHash(previous, stored) !== hash) {
      this.#findings.add({ kind: 'changed', stream, revision, id: event.id });
    }
    if (index <= this.#last || index >= checkpoint.size) {
      this.#wrong(EVENTS_FILE, `line ${this.events} is in the wrong order`);
    }
    this.#last = index;
    this.#follow(event);
    if (index === 0 && originOf(hash) !== origin) {
      this.#findings.add({ kind: 'other-record', source: 'archive', origin, found: originOf(hash) });
    }
    const { at } = event.metadata;
    const isSelected = this.#matches(event, () => (typeof at === 'string' ? at : ''));
    const isEnd = (end: Manifest['first']): boolean =>
      end?.index === index && end.position === event.position && end.at === at;
    if (!isSelected) this.#wrong(EVENTS_FILE, `line ${this.events} does not belong to the selection`);
    if (this.events === 1 && !isEnd(first))
      this.#wrong(MANIFEST_FILE, 'the first event does not match the manifest');
    if (this.events === this.#manifest.events && !isEnd(last)) {
      this.#wrong(MANIFEST_FILE, 'the last event does not match the manifest');
    }
    this.#include(event, proof?.done === false ? proof.value : undefined);
  }

  /** The event after the one before it in its stream, as far as that is here. */
  #follow({ stream, revision, previous, hash, id, position }: ArchivedEvent): void {
    const head = this.#heads.of(stream);
    const last = head.revision;
    if (revision <= last) {
      this.#findings.add({ kind: 'out-of-order', stream, revision, position });
      return;
    }
    const isNext = revision === last + 1;
    if (!isNext && hasWholeStreams(this.#manifest.selection)) {
      this.#findings.add({ kind: 'missing', stream, from: last + 1, to: revision - 1, checkpoint: null });
    }
    if (isNext && previous !== head.hash) {
      this.#findings.add({ kind: 'changed', stream, revision, id });
    }
    head.revision = revision;
    head.hash = hash;
  }

  #include({ stream, revision, index, hash }: ArchivedEvent, line: string | undefined): void {
    const leaf = leafHash(Buffer.from(hash, 'hex'));
    if (this.#manifest.proof === 'log') {
      this.#tree.append(leaf);
      if (this.#tree.size === this.#options.expect?.size) this.#expected = this.#tree.root().toString('hex');
      return;
    }
    const { size } = this.#manifest.checkpoint;
    const given = line === undefined ? undefined : readJson(ArchivedProof, line);
    const proof = given?.proof.map((encoded) => Buffer.from(encoded, 'base64')) ?? [];
    const isIncluded =
      given?.index === index && verifyInclusion({ index, size, leafHash: leaf, proof, root: this.#root });
    if (!isIncluded) this.#findings.add({ kind: 'not-included', stream, revision, index });
  }

  /** All events together give the root. */
  #judgeLog(): void {
    const { size } = this.#manifest.checkpoint;
    if (this.#tree.size === size && this.#tree.root().equals(this.#root)) return;
    this.#findings.add({ kind: 'tree', after: 0, upTo: size, expected: size, found: this.#tree.size });
  }

  #judgeExpected({ size, root }: Manifest['checkpoint']): void {
    const { expect } = this.#options;
    if (expect === undefined) return;
    const found = expect.size === size ? root : this.#expected;
    if (found === undefined) {
      this.#wrong(
        MANIFEST_FILE,
        `the archive is of checkpoint ${size}, so a root over ${expect.size} events cannot be compared with it`,
      );
    } else if (found !== expect.root) {
      this.#findings.add({ kind: 'expected', ...expect, events: size, agreesUpTo: 0 });
    }
  }

  #wrong(file: string, reason: string): void {
    this.#findings.add({ kind: 'archive', file, reason });
  }
}
