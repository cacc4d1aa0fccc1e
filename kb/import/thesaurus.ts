import type { LexicalIndex } from '../index/lexical-index.ts';

/** The meanings of each word, by the word in lower case. Each meaning is the list of the words that have it. */
export type Thesaurus = ReadonlyMap<string, readonly (readonly string[])[]>;

const ENTRY = /^(?<word>[^|]+)\|\d+$/u;
/** A remark on a word or a meaning: `(noun)`, `(ugs.)`, `(generic term)`. */
const REMARK = /\s*\([^)]*\)/gu;
const ONE_WORD = /^\p{L}+$/u;

/** Reads a thesaurus in the format of MyThes: an entry `word|2`, then its meanings, `(noun)|word|word`; single words are kept. */
export function parseThesaurus(text: string): Thesaurus {
  const entries = new Map<string, string[][]>();
  let meanings: string[][] = [];
  for (const line of text.split('\n').slice(1)) {
    const entry = ENTRY.exec(line)?.groups?.['word']?.toLowerCase();
    if (entry !== undefined) {
      meanings = entries.get(entry) ?? [];
      if (ONE_WORD.test(entry)) entries.set(entry, meanings);
    } else if (line !== '') {
      const [, ...words] = line.split('|').map((word) => word.replaceAll(REMARK, '').trim());
      meanings.push(words.filter((word) => ONE_WORD.test(word)));
    }
  }
  return entries;
}

/** The most words that are proposed for one word. */
const MOST = 8;

/** A word that people use in questions, and words of the base that may mean the same. */
interface Proposal {
  readonly from: string;
  readonly to: readonly string[];
}

/** Proposes, for words of questions that the base does not have, words of the thesaurus that the base has. */
export function proposeSynonyms(
  index: LexicalIndex,
  questions: readonly string[],
  thesauri: Readonly<Record<'de' | 'en', Thesaurus>>,
): Proposal[] {
  const proposals = new Map<string, Proposal>();
  for (const question of questions) {
    const { lang, words, synonyms } = index.read(question);
    for (const { text, term } of words) {
      const from = text.toLowerCase();
      const isKnown = index.words.passageFrequency(term) > 0 || synonyms.has(term) || proposals.has(from);
      if (isKnown) continue;
      const said = [from, term, `${term}e`, `${term}en`].find((word) => thesauri[lang].has(word));
      const meanings = said === undefined ? [] : thesauri[lang].get(said)!;
      const to = [...new Set(meanings.flat())].filter((word) => {
        const found = index.analysis.form(word, lang);
        return found !== null && found.term !== term && index.words.passageFrequency(found.term) > 0;
      });
      if (to.length > 0) proposals.set(from, { from, to: to.slice(0, MOST) });
    }
  }
  return [...proposals.values()].toSorted((a, b) => (a.from < b.from ? -1 : 1));
}
