import { citationsIn, isJoint, shortNameAt, type Citation } from '../../../kb/citations.ts';

/** A citation with the name of its statute. */
interface Named extends Citation {
  readonly law: string;
  /** Behind the name, where it is there. */
  readonly until: number;
}

/**
 * One question for each provision that a question enumerates, in its own words otherwise; `null` where it names at most one.
 *
 * @example splitProvisions('Was regeln § 3 und § 4 EntgFG?') // ['Was regeln § 3 EntgFG?', 'Was regeln § 4 EntgFG?']
 */
export function splitProvisions(question: string): readonly string[] | null {
  for (const row of rowsOf(question)) {
    const provisions = new Set(row.flatMap(provisionsOf));
    if (provisions.size < 2) continue;
    const before = question.slice(0, row[0]!.start);
    const after = question.slice(row.at(-1)!.until);
    return [...provisions].map((provision) => `${before}${provision}${after}`);
  }
  return null;
}

/** Citations with nothing but conjunctions between them; those of a statute that is not named are left out. */
function rowsOf(question: string): Named[][] {
  const rows: Named[][] = [];
  for (const citation of namedIn(question)) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (last !== undefined && isJoint(question.slice(last.until, citation.start))) row!.push(citation);
    else rows.push([citation]);
  }
  return rows;
}

/** `§ 3 und § 4 Abs. 2 EntgFG`: the name behind the last is for all. */
function namedIn(question: string): Named[] {
  const named: Named[] = [];
  let law: string | undefined;
  for (const citation of citationsIn(question).toReversed()) {
    const found = shortNameAt(citation.after);
    law = found?.name ?? (citation.isJoined ? law : undefined);
    if (law !== undefined) named.unshift({ ...citation, law, until: citation.end + (found?.end ?? 0) });
  }
  return named;
}

/** The details are the last one's. */
function provisionsOf({ ranges, details, law }: Named): string[] {
  return ranges.map(([from, to], i) => {
    const numbers = from === to ? `§ ${from}` : `§§ ${from} bis ${to}`;
    return [numbers, i === ranges.length - 1 ? details : '', law].filter((part) => part !== '').join(' ');
  });
}
