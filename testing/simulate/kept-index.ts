import { join } from 'node:path';
import { changing } from '../../kb/index/change.ts';
import { LexicalIndex, readingNames } from '../../kb/index/lexical-index.ts';
import { opening } from '../../kb/index/searched.ts';
import { readWhole, writeDurably } from '../../kb/snapshot/durable-file.ts';
import { decodeSnapshot, encodeSnapshot, type Snapshot } from '../../kb/snapshot/snapshot.ts';
import { BytesInMemory } from '../../kb/snapshot/stored-bytes.ts';
import { inShortTurns } from '../../kb/steps.ts';

const QUESTIONS = ['Wie viele Tage Urlaub?', 'Lohn bei Krankheit', 'höchstens Stunden am Tag', 'AZ-HOECHST'];

/** What an index finds, to be compared. */
export const foundBy = (index: LexicalIndex): string =>
  JSON.stringify([index.passageCount, QUESTIONS.map((question) => index.search(question, { topK: 10 }))]);

/** The snapshot of a base on the disk of a machine. */
export class KeptIndex {
  readonly #file: string;

  constructor(root: string) {
    this.#file = join(root, 'index', 'knowledge.snapshot');
  }

  /**
   * What is found by an index that is opened as a start opens it: from the snapshot, with what has changed since. `null` where a start
   * builds it anew: there is no snapshot, or a change makes too much other.
   *
   * @param now the index of the present files
   * @throws {Damaged} for a snapshot that is not what was written
   */
  async foundAtStart(now: Snapshot): Promise<string | null> {
    const bytes = await readWhole(this.#file);
    if (bytes === undefined) return null;
    const { data, about, names: known } = await decodeSnapshot(new BytesInMemory([bytes]), now.code);
    const base = await inShortTurns(opening(data));
    const large = await inShortTurns(readingNames(base, about, { known }));
    // A source that has not changed is the same object.
    const before = new Map(data.sources.map((source) => [source.id, source]));
    const sources = now.data.sources.map((source) => before.get(source.id) ?? source);
    const searched = await inShortTurns(changing(base, sources));
    if (searched === null) return null;
    const names = await inShortTurns(readingNames(searched, about, { large }));
    return foundBy(new LexicalIndex(data, about, { searched, names }));
  }

  /** Writes the snapshot of the present files, as a build and a merge do. */
  write(now: Snapshot): Promise<void> {
    return writeDurably(this.#file, encodeSnapshot(now));
  }
}
