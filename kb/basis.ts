import { createHash } from 'node:crypto';
import { citationsIn, fromName, shortNameAt } from './citations.ts';
import type { Norm, Statute } from './import/statute.ts';

/**
 * What a source was written from: for each § that its `section` names (as an import would call it) a hash of how it read
 * then. In front matter: `basis: "BUrlG-3 0f1e2d3c4b5a, BUrlG-7 …"`.
 */
export type Basis = ReadonlyMap<string, string>;

const ENTRY = '[A-Za-z0-9][A-Za-z0-9._-]{0,63} [0-9a-f]{12}';
export const BASIS = new RegExp(`^${ENTRY}(?:, ${ENTRY})*$`, 'u');

/** @param text as `BASIS` has it */
export function parseBasis(text: string): Basis {
  return new Map(text.split(', ').map((entry) => entry.split(' ') as [string, string]));
}

export function formatBasis(basis: Basis): string {
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
