import { join } from 'node:path';

import type { Fault } from '../base/faults.ts';
import { hashBase, readBase } from '../base/files.ts';
import { parseKnowledgeBase } from '../base/load.ts';
import { buildIndex } from '../index/build.ts';
import { LexicalIndex } from '../index/lexical-index.ts';
import { DEFAULT_SETTINGS } from '../index/settings.ts';
import { calibrate } from '../probes.ts';
import { readWhole, writeDurably } from './file.ts';
import { SNAPSHOT_VERSION } from './sections.ts';
import { encodeSnapshot, hashOfSnapshot } from './snapshot.ts';
import { unknownSynonyms } from './unknown-synonyms.ts';

export interface Progress {
  readonly phase: 'index' | 'embed';
  readonly done: number;
  readonly total: number;
}

export interface PrepareOptions {
  readonly folder: string;
  /** Where the snapshot lies; `null` keeps nothing on the disk. */
  readonly snapshotDir: string | null;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Prepared {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True where the one on the disk still matches the files. */
  readonly fromSnapshot: boolean;
}

const SNAPSHOT_FILE = 'knowledge.snapshot';

/**
 * Reads the base; hands out the snapshot on the disk where it was built from the same bytes, and otherwise builds
 * anew and puts the result there.
 *
 * @throws KnowledgeBaseInvalid for a base with faults; the snapshot on the disk stays as it is then
 * @throws the file system's error where the snapshot cannot be read or written
 */
export async function prepareSnapshot(options: PrepareOptions): Promise<Prepared> {
  const { folder, snapshotDir, onProgress } = options;
  const files = await readBase(folder);
  const hash = hashBase(files, String(SNAPSHOT_VERSION), JSON.stringify(DEFAULT_SETTINGS));
  const path = snapshotDir === null ? null : join(snapshotDir, SNAPSHOT_FILE);
  const present = path === null ? undefined : await readWhole(path);
  if (present !== undefined && hashOfSnapshot(present) === hash)
    return { bytes: present, fromSnapshot: true };

  const base = parseKnowledgeBase(files);
  const data = buildIndex(base.sources, base.synonyms, DEFAULT_SETTINGS, (done, total) =>
    onProgress?.({ phase: 'index', done, total }),
  );
  const index = new LexicalIndex(data);
  const warnings: Fault[] = [...base.warnings, ...unknownSynonyms(index)];
  const bytes = encodeSnapshot({
    hash,
    builtAt: new Date().toISOString(),
    data,
    warnings,
    calibration: calibrate(index),
    dense: null,
  });
  if (path !== null) await writeDurably(path, bytes);
  return { bytes, fromSnapshot: false };
}
