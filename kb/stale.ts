import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBase } from './base/files.ts';
import { parseFrontMatter } from './base/front-matter.ts';
import { parseKnowledgeBase } from './base/load.ts';
import { citationsIn, fromName, shortNameAt } from './citations.ts';
import { inputFiles } from './import/import-statutes.ts';
import { parseStatute, type Norm, type Statute } from './import/statute.ts';

/**
 * What a source was written from: for each § that its `section` names (as an import would call it) a hash of how it read
 * then. In front matter: `basis: "BUrlG-3 0f1e2d3c4b5a, BUrlG-7 …"`.
 */
type Basis = ReadonlyMap<string, string>;

/** A source that was written when the law read differently. */
interface StaleSource {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  /** Relative to the base's folder. */
  readonly file: string;
  /** § that read differently now, and those that are not there. */
  readonly changed: readonly string[];
  readonly gone: readonly string[];
}

interface StaleReport {
  readonly sources: number;
  /** Sources that say what they were written from. */
  readonly noted: number;
  readonly stale: readonly StaleSource[];
}

/**
 * Sources of a base whose § read differently in `statutes` than when they were written.
 *
 * @param statutes a folder of statutes as `importStatutes` takes them
 * @throws KnowledgeBaseInvalid for a base that cannot be used
 */
export async function findStale(folder: string, statutes: string): Promise<StaleReport> {
  const provisions = await readProvisions(statutes);
  const sources = await readSources(folder);
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
  };
}

/**
 * Notes in each source how the § that its section names read in `statutes`; a source that names none that is there is
 * left as it is.
 *
 * @returns how many sources were written anew
 */
export async function noteBasis(folder: string, statutes: string): Promise<number> {
  const provisions = await readProvisions(statutes);
  let written = 0;
  for (const { file, section, text } of await readSources(folder)) {
    const basis = provisions.basisOf(section);
    if (basis.size === 0) continue;
    const line = `basis: "${formatBasis(basis)}"\n`;
    const { bodyStart } = parseFrontMatter(text)!;
    const matter = text.slice(0, bodyStart).replace(/^basis:.*\n/mu, '');
    const noted = matter.replace(/^work:.*\n/mu, (work) => work + line) + text.slice(bodyStart);
    if (noted === text) continue;
    await writeFile(join(folder, file), noted);
    written += 1;
  }
  return written;
}

interface FoundSource {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly file: string;
  readonly text: string;
  readonly basis: Basis | null;
}

async function readSources(folder: string): Promise<FoundSource[]> {
  const files = await readBase(folder);
  const { sources } = parseKnowledgeBase(files);
  const known = new Map(sources.map((source) => [source.id, source]));
  return files.flatMap(({ path, bytes }) => {
    const text = bytes.toString('utf8').replace(/\r\n?/gu, '\n');
    const fields = parseFrontMatter(text)?.fields;
    const source = known.get(fields?.get('id')?.value ?? '');
    if (source === undefined) return [];
    const { id, title, section } = source;
    const basis = fields?.get('basis')?.value;
    return [{ id, title, section, file: path, text, basis: basis === undefined ? null : parseBasis(basis) }];
  });
}

async function readProvisions(folder: string): Promise<Provisions> {
  const files = await inputFiles([folder]);
  const statutes = await Promise.all(files.map(async (file) => parseStatute(await readFile(file, 'utf8'))));
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

/** Statutes as they read at one time. */
export class Provisions {
  readonly #hashes = new Map<string, string>();
  readonly #byWork: ReadonlyMap<string, readonly Statute[]>;

  constructor(statutes: readonly Statute[]) {
    this.#byWork = Map.groupBy(statutes, ({ work }) => work);
    for (const { id, text } of statutes.flatMap(({ norms }) => norms)) this.#hashes.set(id, hashOf(text));
  }

  /** `undefined` for a § that is not there, or no longer. */
  hash(id: string): string | undefined {
    return this.#hashes.get(id);
  }

  /** Every § that a section names (`§§ 3, 19 MuSchG, § 24i SGB V`) and that is there. */
  basisOf(section: string): Basis {
    const citations = citationsIn(section);
    const norms: Norm[] = [];
    for (const [index, { ranges }] of citations.entries()) {
      // One name is for all that are joined to it.
      const named = citations.slice(index).find(({ isJoined }) => !isJoined);
      const statute = this.#statuteAt(fromName(named?.after ?? ''));
      for (const [from, to] of statute === undefined ? [] : ranges)
        norms.push(...between(statute!, from, to));
    }
    return new Map(norms.map(({ id }) => [id, this.#hashes.get(id)!]));
  }

  /** Where several have the name, as ordinances of yearly figures do, the year behind it decides. */
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

/** Of the words alone: lines may be broken elsewhere. */
function hashOf(text: string): string {
  return createHash('sha256').update(text.replace(/\s+/gu, ' ').trim()).digest('hex').slice(0, 12);
}
