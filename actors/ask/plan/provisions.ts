const NUMBER = String.raw`\d{1,4}[a-z]?(?:\s+Abs(?:\.|atz)\s*\d+[a-z]?)?`;
const LAW = String.raw`(?:[A-ZÄÖÜ][A-Za-zÄÖÜäöü]*[A-ZÄÖÜ][A-Za-z]*)(?:\s+[IVX]+)?`;
const NEXT = String.raw`\s*(?:,|und|sowie|and)\s*§{0,2}\s*`;
/** `§§ 3, 4 und 7 BUrlG`: provisions of one law. */
const OF_ONE_LAW = new RegExp(String.raw`§{1,2}\s*(${NUMBER}(?:${NEXT}${NUMBER})+)\s+(${LAW})`, 'u');
/** `§ 3 EntgFG und § 7 BUrlG`: of several. */
const ONE = String.raw`§\s*${NUMBER}\s+${LAW}`;
const OF_SEVERAL = new RegExp(String.raw`${ONE}(?:\s*(?:,|und|sowie|and)\s*${ONE})+`, 'u');

/**
 * One question for each provision that a question enumerates, in its own words otherwise; `null` where it names at most one.
 *
 * @example splitProvisions('Was regeln § 3 und § 4 EntgFG?') // ['Was regeln § 3 EntgFG?', 'Was regeln § 4 EntgFG?']
 */
export function splitProvisions(question: string): readonly string[] | null {
  const several = OF_SEVERAL.exec(question);
  if (several !== null) {
    return around(question, several, several[0].match(new RegExp(ONE, 'gu')) ?? []);
  }
  const found = OF_ONE_LAW.exec(question);
  if (found === null) return null;
  const numbers = found[1]!.match(new RegExp(NUMBER, 'gu')) ?? [];
  return around(
    question,
    found,
    numbers.map((number) => `§ ${number} ${found[2]}`),
  );
}

function around(question: string, found: RegExpExecArray, provisions: readonly string[]): string[] {
  const before = question.slice(0, found.index);
  const after = question.slice(found.index + found[0].length);
  return [...new Set(provisions)].map((provision) => `${before}${provision}${after}`);
}
