import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatFault } from './base/faults.ts';
import { readBase } from './base/files.ts';
import { decode, decodeAny, encode, NOT_TEXT } from './text/decode.ts';
import { parseFrontMatter } from './base/front-matter.ts';
import { parseKnowledgeBase } from './base/load.ts';
import { provisionsIn, fromName, shortNameAt } from './provisions.ts';
import { inputFiles } from './import/import-statutes.ts';
import { parseStatute, type Norm, type Statute } from './import/statute.ts';
import { squeezed } from './white-space.ts';

/**
 * For each § that a source's `section` names (by its id in an import), a hash of its text at the time when the source
 * was written. In front matter: `basis: "BUrlG-3 0f1e2d3c4b5a, BUrlG-7 …"`.
 */
type Basis = ReadonlyMap<string, string>;

/** A source whose statute has changed since it was written. */
interface StaleSource {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  /** The path of the source's file below the base's folder. */
  readonly file: string;
  /** The § that have changed, and those that no longer exist. */
  readonly changed: readonly string[];
  readonly gone: readonly string[];
}

interface StaleReport {
  readonly sources: number;
  /** The number of sources with a basis. */
  readonly noted: number;
  readonly stale: readonly StaleSource[];
  /** Files of the base that could not be used, with reasons. */
  readonly left_out: readonly string[];
}

/**
 * The sources of a base whose § have another text in `statutes` than when they were written.
 *
 * @param statutes a folder of statutes as `importStatutes` takes it.
 * @throws {KnowledgeBaseInvalid} for a base that cannot be used.
 */
export async function findStale(folder: string, statutes: string): Promise<StaleReport> {
  const provisions = await readProvisions(statutes);
  const { sources, leftOut } = await readSources(folder);
  const noted = sources.flatMap(({ basis, ...source }) => (basis === null ? [] : [{ ...source, basis }]));
  const stale = noted.map(({ id, title, section, file, basis }) => {
    const gone = [...basis.keys()].filter((id) => provisions.hash(id) === undefined);
    const changed = [...basis].filter(([id, hash]) => (provisions.hash(id) ?? hash) !== hash);
    return { id, title, section, file, changed: changed.map(([changedId]) => changedId), gone };
  });
  return {
    sources: sources.length,
    noted: noted.length,
    stale: stale.filter(({ changed, gone }) => changed.length + gone.length > 0),
    left_out: leftOut,
  };
}

/**
 * Writes the basis of each source, from the present text of its § in `statutes`; a source without an existing § stays
 * unchanged. The rest of a file stays byte-identical, with its line ends, encoding and byte-order mark.
 *
 * @returns the number of sources that were written, and the files that could not be used.
 */
export async function noteBasis(
  folder: string,
  statutes: string,
): Promise<{ readonly written: number; readonly left_out: readonly string[] }> {
  const provisions = await readProvisions(statutes);
  let written = 0;
  const { sources, leftOut } = await readSources(folder);
  for (const { file, section, bytes } of sources) {
    const basis = provisions.basisOf(section);
    if (basis.size === 0) continue;
    const noted = withBasis(bytes, `basis: "${formatBasis(basis)}"`);
    if (noted.equals(bytes)) continue;
    await writeFile(join(folder, file), noted);
    written += 1;
  }
  return { written, left_out: leftOut };
}

const FRONT_MATTER = /^---[ \t]*(?:\r\n?|\n)[^]*?^---[ \t]*$/mu;

function withBasis(bytes: Uint8Array, line: string): Buffer {
  const decoded = decode(bytes);
  // In a code page each byte is a character; those of the front matter's keys are the same in all code pages.
  const text = decoded.text ?? Buffer.from(bytes).toString('latin1');
  const noted = text.replace(FRONT_MATTER, (matter) =>
    matter
      .replace(/^basis:.*(?:\r\n?|\n)/mu, '')
      .replace(/^work:.*(\r\n?|\n)/mu, (work, end: string) => work + line + end),
  );
  return decoded.text === undefined ? Buffer.from(noted, 'latin1') : encode(noted, decoded);
}

interface FoundSource {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly basis: Basis | null;
}

async function readSources(folder: string): Promise<{
  readonly sources: readonly FoundSource[];
  readonly leftOut: readonly string[];
}> {
  const found = await readBase(folder);
  const { sources, files } = parseKnowledgeBase(found);
  const broken = new Set(files.leftOut.map(({ file }) => file));
  const known = new Map(sources.map((source) => [source.id, source]));
  const read = found.files.flatMap(({ path, bytes }) => {
    if (broken.has(path)) return [];
    const fields = parseFrontMatter(decodeAny(bytes) ?? '')?.fields;
    const source = known.get(fields?.get('id')?.value ?? '');
    if (source === undefined) return [];
    const { id, title, section } = source;
    const basis = fields?.get('basis')?.value;
    return [{ id, title, section, file: path, bytes, basis: basis === undefined ? null : parseBasis(basis) }];
  });
  return { sources: read, leftOut: files.leftOut.map(formatFault) };
}

async function readProvisions(folder: string): Promise<Provisions> {
  const files = await inputFiles([folder]);
  const statutes = await Promise.all(
    files.map(async (file) => {
      const text = decodeAny(await readFile(file));
      if (text === undefined) throw new Error(`${file}: ${NOT_TEXT}`);
      return parseStatute(text);
    }),
  );
  const found = statutes.filter((statute) => statute !== undefined);
  if (found.length === 0) throw new Error(`no file in ${folder} is a statute`);
  return new Provisions(found);
}

function parseBasis(text: string): Basis {
  return new Map(text.split(', ').map((entry) => entry.split(' ') as [string, string]));
}

function formatBasis(basis: Basis): string {
  return [...basis].map(([id, hash]) => `${id} ${hash}`).join(', ');
}

/** The texts of statutes at one time. */
export class Provisions {
  readonly #hashes = new Map<string, string>();
  readonly #byWork: ReadonlyMap<string, readonly Statute[]>;

  constructor(statutes: readonly Statute[]) {
    this.#byWork = Map.groupBy(statutes, ({ work }) => work);
    for (const { id, text } of statutes.flatMap(({ norms }) => norms)) this.#hashes.set(id, hashOf(text));
  }

  /** The hash of a §; `undefined` if it does not exist. */
  hash(id: string): string | undefined {
    return this.#hashes.get(id);
  }

  /** Every existing § that a section names (`§§ 3, 19 MuSchG, § 24i SGB V`). */
  basisOf(section: string): Basis {
    const provisions = provisionsIn(section);
    const norms: Norm[] = [];
    for (const [index, { ranges }] of provisions.entries()) {
      // Joined provisions share one name.
      const named = provisions.slice(index).find(({ isJoined }) => !isJoined);
      const statute = this.#statuteAt(fromName(named?.after ?? ''));
      for (const [from, to] of statute === undefined ? [] : ranges)
        norms.push(...between(statute!, from, to));
    }
    return new Map(norms.map(({ id }) => [id, this.#hashes.get(id)!]));
  }

  /**
   * The statute that a text names. If several have the name, as ordinances of yearly figures do, the year after it
   * decides.
   */
  #statuteAt(text: string): Statute | undefined {
    const short = shortNameAt(text);
    if (short === null) return undefined;
    const year = /^ (?<year>(?:19|20)\d{2})(?!\d)/u.exec(text.slice(short.end))?.groups?.['year'] ?? '';
    const [statute, ...others] = (this.#byWork.get(short.name) ?? []).filter(
      ({ abbreviation }, _, all) => all.length === 1 || abbreviation.endsWith(year),
    );
    return others.length === 0 ? statute : undefined;
  }
}

function between({ abbreviation, norms }: Statute, from: string, to: string): readonly Norm[] {
  const placeOf = (number: string): number =>
    norms.findIndex(({ id }) => id.toLowerCase() === `${abbreviation}-${number}`.toLowerCase());
  const [first, last] = [placeOf(from), placeOf(to)];
  return first === -1 || last === -1 ? [] : norms.slice(first, last + 1);
}

/** A hash of the words only, so that other line breaks do not change it. */
function hashOf(text: string): string {
  return createHash('sha256').update(squeezed(text)).digest('hex').slice(0, 12);
}
