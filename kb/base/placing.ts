import { merging, sorting, type Steps } from '../steps.ts';
import { withHashOf } from '../documents/ids.ts';
import type { Source } from '../source.ts';
import { isOfLaw, type AboutBase } from './about.ts';
import type { Fault } from './faults.ts';
import { placeIn } from './sorted-place.ts';
import { hasGrownOnYear, grownOnYears } from './year.ts';

/** The sources that one file contributes to a base, independent of other files. */
export interface SourcesOfFile {
  readonly path: string;
  readonly kind: 'own' | 'source' | 'document';
  readonly sources: readonly Source[];
  /** The line of the source's id. */
  readonly idLine: number;
}

/** The sources of all files, with their ids and years in the base. */
interface Placing {
  /** Sorted by id. A source is the same object as before if its file, id and year are the same. */
  readonly sources: readonly Source[];
  /** The number of files with sources. */
  readonly read: number;
  /** The faults of files whose id already belongs to another file. */
  readonly faults: readonly Fault[];
}

/** The files that differ from the files of the base before. */
export interface FileChanges {
  readonly gone: readonly SourcesOfFile[];
  readonly come: readonly SourcesOfFile[];
}

/** The number of files or sources that are handled in one step. */
export const A_STEP = 50;
/** The cost of handling a file or a source, measured in compared words. */
const TO_PLACE = 10;
/** The number of sources that keep their order and are copied in one step, and the cost of this step. */
const KEPT_A_STEP = 5_000;
const TO_KEEP_SOME = 500;

/**
 * The number of files, by the sources of a base. Only for a base in which each source has the id of its file, so that
 * no file affects the sources of another file.
 */
const filesOfPlain = new WeakMap<readonly Source[], number>();

/** Gives the sources of files their ids and years, step by step. The files are sorted by path. */
export function* placing(
  files: readonly SourcesOfFile[],
  about: AboutBase | null,
  before: readonly Source[],
): Steps<Placing> {
  const faults: Fault[] = [];
  const placed: Placed[] = [];
  const pathOfId = new Map<string, string>();
  let read = 0;
  for (const [number, { path, kind, sources, idLine }] of files.entries()) {
    if (number % A_STEP === 0) yield TO_PLACE * A_STEP;
    if (kind === 'document') continue;
    for (const source of sources) {
      const { id } = source;
      const other = pathOfId.get(id);
      if (other === undefined) {
        pathOfId.set(id, path);
        placed.push({ id, source });
        read += 1;
      } else faults.push({ file: path, line: idLine, message: `id ${id} is also in ${other}` });
    }
  }
  let isPlain = faults.length === 0;
  for (const [number, { path, kind, sources }] of files.entries()) {
    if (number % A_STEP === 0) yield TO_PLACE * A_STEP;
    if (kind !== 'document') continue;
    if (sources.length > 0) read += 1;
    for (const source of sources) {
      // Two files may have the same name except for its extension or signs.
      const isTaken = pathOfId.has(source.id);
      const id = isTaken ? withHashOf(source.id, path) : source.id;
      if (isTaken) isPlain = false;
      pathOfId.set(id, path);
      placed.push({ id, source });
    }
  }
  const sources = yield* inBase(placed, about, before);
  if (isPlain) filesOfPlain.set(sources, read);
  return { sources, read, faults };
}

/**
 * The result of `placing` after a change, made from the sources before the change. The sources of unchanged files only
 * move. `null` if the changed files may affect the sources of other files.
 */
export function* placingChange(
  { gone, come }: FileChanges,
  about: AboutBase | null,
  before: readonly Source[],
): Steps<Placing | null> {
  const filesBefore = filesOfPlain.get(before);
  if (filesBefore === undefined) return null;
  const law = about?.law ?? null;
  const left = gone.flatMap((file) => file.sources);
  const added = come.flatMap((file) => file.sources);
  if ([...left, ...added].some((source) => isOfLaw(law, source) && hasGrownOnYear(source.id))) return null;
  const places = new Set(left.map(({ id }) => placeOf(before, id)));
  yield TO_PLACE * (left.length + added.length);
  const ids = new Set<string>();
  const now: { readonly place: number; readonly source: Source }[] = [];
  for (const source of added) {
    const { id } = source;
    const place = placeOf(before, id);
    if (ids.has(id) || (before[place]?.id === id && !places.has(place))) return null;
    ids.add(id);
    now.push({ place, source: become(source, id, isOfLaw(law, source) ? source.year : null) });
  }
  now.sort((a, b) => a.place - b.place || byId(a.source, b.source));
  const sources: Source[] = [];
  let next = 0;
  for (let place = 0; place <= before.length; place++) {
    for (; now[next]?.place === place; next++) sources.push(now[next]!.source);
    if (place < before.length && !places.has(place)) sources.push(before[place]!);
    if (place % KEPT_A_STEP === 0) yield TO_KEEP_SOME;
  }
  const read = filesBefore - countWithSources(gone) + countWithSources(come);
  filesOfPlain.set(sources, read);
  return { sources, read, faults: [] };
}

const countWithSources = (files: readonly SourcesOfFile[]): number =>
  files.filter(({ sources }) => sources.length > 0).length;

/** The place of the source with this id in a list sorted by id, or the place where it would be inserted. */
const placeOf = (sources: readonly Source[], id: string): number =>
  placeIn(sources, id, (source) => source.id);

/** A source of a file with its id in the base. */
interface Placed {
  readonly id: string;
  readonly source: Source;
}

/** The sources with their ids and years in this base, sorted by id. */
function* inBase(
  placed: readonly Placed[],
  about: AboutBase | null,
  before: readonly Source[],
): Steps<Source[]> {
  const law = about?.law ?? null;
  const ofLaw: string[] = [];
  for (const [number, { id, source }] of placed.entries()) {
    if (isOfLaw(law, source)) ofLaw.push(id);
    if (number % A_STEP === 0) yield TO_PLACE * A_STEP;
  }
  const years = yield* grownOnYears(ofLaw);
  const sources: Source[] = [];
  for (const { id, source } of placed) {
    const year = isOfLaw(law, source) ? (source.year ?? years.get(id) ?? null) : null;
    sources.push(become(source, id, year));
    if (sources.length % A_STEP === 0) yield TO_PLACE * A_STEP;
  }
  return yield* inOrder(sources, before);
}

const byId = (a: Source, b: Source): number => (a.id < b.id ? -1 : 1);

/**
 * Sorts sources by id. The sources of the base before are already in order; after a change of a large base, these are
 * nearly all.
 */
function* inOrder(sources: readonly Source[], before: readonly Source[]): Steps<Source[]> {
  const come = new Set<Source>();
  for (const [number, source] of sources.entries()) {
    come.add(source);
    if (number % A_STEP === 0) yield TO_PLACE * A_STEP;
  }
  const kept: Source[] = [];
  for (const [number, source] of before.entries()) {
    if (come.delete(source)) kept.push(source);
    if (number % A_STEP === 0) yield TO_PLACE * A_STEP;
  }
  return yield* merging(kept, yield* sorting([...come], byId), byId);
}

/** By the source of a file, the sources of bases that were made from it. Equal sources are the same object. */
const became = new WeakMap<Source, Source[]>();

function become(source: Source, id: string, year: number | null): Source {
  if (source.id === id && source.year === year) return source;
  const same = becameOf(source).find((each) => each.id === id && each.year === year);
  if (same !== undefined) return same;
  const other = { ...source, id, year };
  rememberBecome(source, other);
  return other;
}

/** The sources of bases that were made from this source of a file, with another id or year. */
export const becameOf = (source: Source): readonly Source[] => became.get(source) ?? [];

export const rememberBecome = (source: Source, other: Source): void =>
  void became.set(source, [...becameOf(source), other]);
