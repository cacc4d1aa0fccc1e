import type { Fault } from '../base/faults.ts';
import type { SynonymGroup } from '../base/synonyms.ts';
import type { DenseData } from '../dense/embed.ts';
import type { IndexData } from '../index/build.ts';
import type { PostingsData } from '../index/postings.ts';
import type { RetrievalSettings } from '../index/settings.ts';
import type { Source } from '../knowledge.ts';
import type { AboutBase } from '../base/about.ts';
import type { ReviewBase } from '../review/load.ts';
import { packSections, SnapshotInvalid, unpackSections, type Section } from './sections.ts';

/** An index as it lies on the disk. */
export interface Snapshot {
  /** Content hash over files, settings and index format. */
  readonly hash: string;
  /** ISO 8601. */
  readonly builtAt: string;
  readonly data: IndexData;
  /** What the loader warned of when it was built. */
  readonly warnings: readonly Fault[];
  /** What the base says of itself. */
  readonly about: AboutBase | null;
  readonly review: ReviewBase;
  readonly dense: DenseSnapshot | null;
}

/** The vectors are here; the graph over them is usearch's own file beside the snapshot. */
interface DenseSnapshot extends DenseData {
  /** SHA-256 of the graph's file; empty where none was kept. */
  readonly graphHash: string;
}

/** What has no arrays in it goes as JSON. */
interface Head extends Pick<Snapshot, 'hash' | 'builtAt' | 'warnings' | 'about' | 'review'> {
  readonly settings: RetrievalSettings;
  readonly passageCount: number;
  readonly dense: Pick<DenseSnapshot, 'model' | 'modelHash' | 'dimensions' | 'graphHash'> | null;
}

/** JSON knows no exact integers: the figures of rules are ratios of them. */
const writeExact = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? { $integer: String(value) } : value;

function readExact(_: string, value: unknown): unknown {
  const exact = (value as { $integer?: unknown } | null)?.$integer;
  return typeof exact === 'string' ? BigInt(exact) : value;
}

export function encodeSnapshot(snapshot: Snapshot): Uint8Array<ArrayBuffer> {
  const { hash, builtAt, data, warnings, about, review, dense } = snapshot;
  const head: Head = {
    hash,
    builtAt,
    warnings,
    about,
    review,
    settings: data.settings,
    passageCount: data.owners.length,
    dense:
      dense === null
        ? null
        : {
            model: dense.model,
            modelHash: dense.modelHash,
            dimensions: dense.dimensions,
            graphHash: dense.graphHash,
          },
  };
  const sections = new Map<string, Section>([
    ['head', Buffer.from(JSON.stringify(head, writeExact))],
    ['sources', Buffer.from(JSON.stringify(data.sources))],
    ['synonyms', Buffer.from(JSON.stringify(data.synonyms))],
    ['vocabulary', Buffer.from(data.vocabulary.join('\n'))],
    ['owners', data.owners],
    ['starts', data.starts],
    ['ends', data.ends],
  ]);
  for (const leg of ['words', 'grams'] as const) {
    sections.set(`${leg}.terms`, Buffer.from(data[leg].terms.join('\n')));
    sections.set(`${leg}.offsets`, data[leg].offsets);
    sections.set(`${leg}.passages`, data[leg].passages);
    sections.set(`${leg}.impacts`, data[leg].impacts);
  }
  if (dense !== null) {
    sections.set('dense.vectors', dense.vectors);
    sections.set('dense.texts', Buffer.from(dense.textHashes.join('\n')));
    sections.set('dense.offsets', dense.offsets);
    sections.set('dense.rows', dense.rows);
  }
  return packSections(sections);
}

/** @throws SnapshotInvalid for bytes that are not a whole snapshot of this version */
export function decodeSnapshot(bytes: Uint8Array<ArrayBuffer>): Snapshot {
  const reader = unpackSections(bytes);
  const head = JSON.parse(reader.text('head'), readExact) as Head;
  const postings = (leg: 'words' | 'grams'): PostingsData => ({
    terms: lines(reader.text(`${leg}.terms`)),
    offsets: reader.uint32(`${leg}.offsets`),
    passages: reader.uint32(`${leg}.passages`),
    impacts: reader.bytes(`${leg}.impacts`),
    passageCount: head.passageCount,
    k1: head.settings[leg].k1,
  });
  return {
    hash: head.hash,
    builtAt: head.builtAt,
    warnings: head.warnings,
    about: head.about,
    review: head.review,
    data: {
      sources: JSON.parse(reader.text('sources')) as Source[],
      synonyms: JSON.parse(reader.text('synonyms')) as SynonymGroup[],
      settings: head.settings,
      vocabulary: lines(reader.text('vocabulary')),
      owners: reader.uint32('owners'),
      starts: reader.uint32('starts'),
      ends: reader.uint32('ends'),
      words: postings('words'),
      grams: postings('grams'),
    },
    dense:
      head.dense === null
        ? null
        : {
            ...head.dense,
            vectors: reader.float32('dense.vectors'),
            textHashes: lines(reader.text('dense.texts')),
            offsets: reader.uint32('dense.offsets'),
            rows: reader.uint32('dense.rows'),
          },
  };
}

/** The content hash of a snapshot, without decoding it; undefined for bytes that are none. */
export function hashOfSnapshot(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  try {
    return (JSON.parse(unpackSections(bytes).text('head')) as Head).hash;
  } catch (error) {
    if (error instanceof SnapshotInvalid) return undefined;
    throw error;
  }
}

function lines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
