import { suggestionFor } from '../heading.ts';
import type { Hit } from '../hit.ts';
import { FOUND } from '../ranking/match.ts';
import type { Source } from '../source.ts';
import { spelledOut } from '../spelled-out.ts';

/**
 * Words in the name of a document that changes another one. A document that already contains the changed text
 * (`including the 1st amendment`) does not count.
 */
const AMENDS = new RegExp(
  [
    String.raw`(?<!(?:inkl|incl|einschl|including|fassung|stand)\S{0,10}\W(?:der\W)?)`,
    String.raw`(?:(?:\d+|erste|zweite|dritte|vierte)[\s._-]*(?:satzung[\s._-]zur[\s._-])?aenderung|zur[\s._-]aenderung`,
    String.raw`|aenderung(?:ssatzung|sverordnung|svereinbarung|svertrag|[\s._-]?\d)`,
    String.raw`|(?:\d+|erster|zweiter|dritter)[\s._-]*nachtrag|nachtrag[\s._-](?:\d|zu|nr)`,
    String.raw`|amendment[\s._-](?:no|number|\d|to|of)|(?:\d(?:st|nd|rd|th)|first|second|third)[\s._-]amendment)`,
  ].join(''),
  'u',
);

/** Words of a file's name that do not say what it is about. */
const OF_FILES =
  /^(?:\d.*|.{1,3}|aenderung|amendment|draft|entwurf|fassung|final|inkl|kopie|neu|nachtrag|original|satzung|scan|signed|stand|version|website)$/u;

const fileNameOf = ({ path = '' }: Source): string => spelledOut(path.replace(/^.*\/|\.[^./]+$/gu, ''));

/** The names of a passage: its file, its title, and its headings. */
const namesOf = (source: Source): string =>
  [fileNameOf(source), spelledOut(source.work), spelledOut(source.section), spelledOut(source.title)].join(
    '\n',
  );

const wordsOf = (name: string): string[] =>
  name.split(/[^\p{L}\p{N}]+/u).filter((word) => !OF_FILES.test(word));

/** The name of an amendment: its headings, or its file if the headings do not say that it is one. */
export function amendmentName(source: Source): string {
  const headings = suggestionFor(source);
  return AMENDS.test(spelledOut(headings)) ? headings : (source.path ?? headings).replace(/^.*\//u, '');
}

/** Whether a passage belongs to a later document whose name says that it changes the document of the other passage. */
export function amends(later: Source, earlier: Source): boolean {
  if (later.path === undefined || earlier.path === undefined || later.path === earlier.path) return false;
  const areDated = later.undated === undefined && earlier.undated === undefined;
  if (areDated && later.stand < earlier.stand) return false;
  const names = namesOf(later);
  if (!AMENDS.test(names)) return false;
  return [fileNameOf(earlier), spelledOut(earlier.work)].some((name) => {
    const words = wordsOf(name);
    return words.length > 0 && words.every((word) => names.includes(word));
  });
}

/**
 * The hits that change one of the quoted passages. Of the question's words in that passage, the one with the most
 * weight must be in the change too, because a change is often about other things as well.
 */
export function amendmentsOf(told: readonly Hit[], hits: readonly Hit[]): readonly Hit[] {
  return hits.filter(
    (hit) =>
      !told.includes(hit) &&
      told.some((earlier) => amends(hit.source, earlier.source) && speaksOfTheSame(hit, earlier)),
  );
}

function speaksOfTheSame({ match: later }: Hit, { match: earlier }: Hit): boolean {
  if (later === undefined || earlier === undefined) return false;
  const weights = earlier.words.map(({ weight }, k) => (earlier.found[k]! >= FOUND ? weight : 0));
  const most = weights.indexOf(Math.max(...weights));
  return most >= 0 && later.found[most]! >= FOUND;
}
