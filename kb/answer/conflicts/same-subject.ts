import { fold, plainAnalysis } from '../../analysis/analysis.ts';
import { splitHeadings } from '../../heading.ts';
import type { Source } from '../../source.ts';

/** Words in the names of copies and versions of one text, which do not make another subject. */
const VERSION =
  /^(?:alt|neu|kopie|duplikat|fassung|version|entwurf|final|endfassung|stand|aktuell|old|new|copy|draft|current|backup|v\d+)$/u;
/** The number of a heading (`3.2 Urlaub`), which is only its position in the document. */
const NUMBERING = /^\s*(?:§\s*)?\d+(?:\.\d+)*\.?\)?\s+/u;

interface Subject {
  readonly title: ReadonlySet<string>;
  /** The headings above the title, each with its words. */
  readonly section: ReadonlyMap<string, ReadonlySet<string>>;
  /** Words of the file's name that also occur in the passage's headings or text. */
  readonly file: ReadonlySet<string>;
  readonly text: ReadonlySet<string>;
}

const known = new WeakMap<Source, Subject>();

/**
 * Whether two passages of documents are about one subject, by their headings: their titles are equal, and the sections
 * or files do not each have a subject of their own (`Masern › Ansteckung`, `Röteln › Ansteckung`; minutes of two days).
 */
export function sameSubject(left: Source, right: Source): boolean {
  const [a, b] = [subjectOf(left), subjectOf(right)];
  const [all, others] = [headingsIn(a), headingsIn(b)];
  if (!has(a.title, others, b) || !has(b.title, all, a)) return false;
  // Common headings do not tell the passages apart, and may name only one of them: `Gemeinde Boll › Friedhof Boll`, `…
  // › Friedhof Au`.
  const [above, otherAbove] = [headingsIn(a, b), headingsIn(b, a)];
  const isOneSection = has(wordsOf(a, b), otherAbove, b) || has(wordsOf(b, a), above, a);
  return isOneSection && (has(a.file, others, b) || has(b.file, all, a));
}

/** A figure in a heading tells passages apart, even if the other passage's text mentions it. */
const has = (terms: ReadonlySet<string>, headings: ReadonlySet<string>, { text }: Subject): boolean =>
  [...terms].every((term) => headings.has(term) || (!/\d/u.test(term) && text.has(term)));

/** The words of the headings above a title, without headings that the other passage has too. */
const wordsOf = ({ section }: Pick<Subject, 'section'>, other?: Subject): ReadonlySet<string> =>
  new Set(
    [...section].flatMap(([heading, words]) => (other?.section.has(heading) === true ? [] : [...words])),
  );

/** The words of all headings of a passage and of its file, without headings that the other passage has too. */
const headingsIn = (subject: Subject, other?: Subject): ReadonlySet<string> =>
  subject.title.union(wordsOf(subject, other)).union(subject.file);

function subjectOf(source: Source): Subject {
  let subject = known.get(source);
  if (subject !== undefined) return subject;
  const { title, section, path = '', text, lang } = source;
  const terms = (of: string): Set<string> =>
    new Set(
      plainAnalysis
        .words(of, lang)
        .filter(({ text: word }) => !VERSION.test(fold(word, lang)))
        .map(({ term }) => term),
    );
  const headings = {
    title: terms(title.replace(NUMBERING, '')),
    section: new Map(
      splitHeadings(section).map((heading) => [heading, terms(heading.replace(/^[\d.]+\s/u, ''))]),
    ),
    text: terms(text),
  };
  const spoken = headings.title.union(wordsOf(headings)).union(headings.text);
  const name = path.replace(/^.*\//u, '').replace(/\.\w+$/u, '');
  const inName = terms(name.replaceAll(/[^\p{L}\p{N}]+/gu, ' '));
  // Figures in a file's name are a time if one of them is a year; otherwise they number copies.
  const isOfATime = [...inName].some((term) => /^(?:19|20)\d\d$/u.test(term));
  const file = new Set([...inName].filter((term) => spoken.has(term) || (isOfATime && /\d/u.test(term))));
  subject = { ...headings, file };
  known.set(source, subject);
  return subject;
}
