import type { Hit, Source } from '../../kb/knowledge.ts';
import { contentTerms, overlap } from './terms.ts';

/** What may be answered from, and what a newer version of the same passage replaces. */
export interface CurrentHits {
  readonly hits: readonly Hit[];
  readonly superseded: readonly Source[];
}

/**
 * Orders hits by the time they hold for. The same § of the same work in an older `stand` is superseded and leaves the
 * context. Of one passage kept for several years, the year that the question names leads, else the newest; they
 * share the places that retrieval gave them, so nothing else moves.
 */
export function currentHits(question: string, hits: readonly Hit[]): CurrentHits {
  const superseded = hits
    .filter((older) => hits.some((newer) => supersedes(newer.source, older.source)))
    .map((hit) => hit.source);
  const current = hits.filter((hit) => !superseded.includes(hit.source));
  return { hits: newestFirst(current, yearsIn(question)), superseded };
}

/** Calendar years that a text names. */
export function yearsIn(text: string): readonly number[] {
  return [...text.matchAll(/(?<![\d.,])(?:19|20)\d\d(?![\d]|[.,]\d)/gu)].map((match) => Number(match[0]));
}

/** True where `newer` is a later version of the same provision: same work, same §, same year, much the same words. */
export function supersedes(newer: Source, older: Source): boolean {
  return (
    newer.stand > older.stand &&
    newer.work === older.work &&
    newer.section === older.section &&
    /§|\bart(?:\.|ikel|icle)|\bsec(?:\.|tion)/iu.test(newer.section) &&
    newer.year === older.year &&
    (newer.title === older.title ||
      overlap(contentTerms(older.text, older.lang), contentTerms(newer.text, newer.lang)) >= 0.5)
  );
}

function newestFirst(hits: readonly Hit[], asked: readonly number[]): readonly Hit[] {
  const families = Map.groupBy(
    hits.filter((hit) => hit.source.year !== null && !hit.referenced),
    (hit) => family(hit.source),
  );
  const queues = new Map(
    [...families].map(([key, members]) => [
      key,
      members.toSorted((a, b) => rank(b.source, asked) - rank(a.source, asked)),
    ]),
  );
  return hits.map((hit) => {
    const queue = hit.referenced || hit.source.year === null ? undefined : queues.get(family(hit.source));
    return queue?.shift() ?? hit;
  });
}

/** A year asked for beats every other; else the newer beats the older. */
function rank(source: Source, asked: readonly number[]): number {
  const year = source.year ?? 0;
  return asked.includes(year) ? year + 10_000 : year;
}

/** The same passage in other years: work and title without their years. */
function family(source: Source): string {
  return `${source.work}|${source.title.replaceAll(/\d{4}/gu, '')}`;
}
