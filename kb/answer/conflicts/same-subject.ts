import { fold, plainAnalysis } from '../../analysis/analysis.ts';
import type { Source } from '../../source.ts';

/** Words by which copies and versions of one text are named. They make no other subject. */
const VERSION =
  /^(?:alt|neu|kopie|duplikat|fassung|version|entwurf|final|endfassung|stand|aktuell|old|new|copy|draft|current|backup|v\d+)$/u;
/** The number of a heading (`3.2 Urlaub`), which only states its place in the document. */
const NUMBERING = /^\s*(?:§\s*)?\d+(?:\.\d+)*\.?\)?\s+/u;

interface Subject {
  readonly title: ReadonlySet<string>;
  /** Words of the headings above the title. */
  readonly section: ReadonlySet<string>;
  /** Words of the file's name that its headings or its text speak of. */
  readonly file: ReadonlySet<string>;
  readonly text: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

const known = new WeakMap<Source, Subject>();

/**
 * Whether two passages of documents speak of the same, by the headings above them: those of a title are the same, and the sections or files do not each have a
 * subject of their own (`Masern › Ansteckung`, `Röteln › Ansteckung`; minutes of two days).
 */
export function sameSubject(left: Source, right: Source): boolean {
  const [a, b] = [subjectOf(left), subjectOf(right)];
  if (!has(a.title, b) || !has(b.title, a)) return false;
  return (has(a.section, b) || has(b.section, a)) && (has(a.file, b) || has(b.file, a));
}

/** A figure in a heading distinguishes passages, even if the other one's text mentions it. */
const has = (terms: ReadonlySet<string>, { all, text }: Subject): boolean =>
  [...terms].every((term) => all.has(term) || (!/\d/u.test(term) && text.has(term)));

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
    section: terms(section.replaceAll(/(?<=^|› )[\d.]+\s/gu, '')),
  };
  const inText = terms(text);
  const spoken = headings.title.union(headings.section).union(inText);
  const name = path.replace(/^.*\//u, '').replace(/\.\w+$/u, '');
  const inName = terms(name.replaceAll(/[^\p{L}\p{N}]+/gu, ' '));
  // Figures in a file's name state a time if one of them is a year; otherwise they number copies.
  const isOfATime = [...inName].some((term) => /^(?:19|20)\d\d$/u.test(term));
  const file = new Set([...inName].filter((term) => spoken.has(term) || (isOfATime && /\d/u.test(term))));
  const all = headings.title.union(headings.section).union(file);
  subject = { ...headings, file, text: inText, all };
  known.set(source, subject);
  return subject;
}
