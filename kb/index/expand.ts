import type { Analysis } from '../analysis/analysis.ts';
import type { Word } from '../analysis/word.ts';
import type { SynonymGroup } from '../base/synonyms.ts';
import { TO_READ, type Steps } from '../steps.ts';
import type { Language } from '../source.ts';

/** The left side of a synonym as a sequence of stems, and the words of its right side. */
interface Rule {
  readonly pattern: readonly string[];
  readonly to: readonly Word[];
}

/** A word or phrase of a question, and the base's words for it. */
export interface Expansion {
  /** The stems of the question's words. */
  readonly stems: readonly string[];
  readonly words: readonly Word[];
}

/** Finds the synonym groups of a question. */
export class Expander {
  readonly #rules = new Map<string, Rule[]>();

  private constructor() {}

  /** Reads the groups step by step, because the groups of a base may have tens of thousands of words. */
  static *reading(groups: readonly SynonymGroup[], analysis: Analysis, lang: Language): Steps<Expander> {
    const expander = new Expander();
    const rules = expander.#rules;
    for (const group of groups) {
      const to = group.to.flatMap((term) => analysis.words(term, lang));
      let read = to.length;
      for (const from of group.from) {
        const pattern = analysis.words(from, lang).map((word) => word.term);
        read += pattern.length;
        const [first] = pattern;
        if (first === undefined) continue;
        const known = rules.get(first);
        if (known === undefined) rules.set(first, [{ pattern, to }]);
        else known.push({ pattern, to });
      }
      yield TO_READ * read;
    }
    return expander;
  }

  /**
   * The expansions that synonyms add to a question, one for each word or phrase that is the left side of a group. A
   * compound that is no left side itself also matches the group of its part: `Nachtschicht` matches the group of
   * `Schicht`.
   */
  expand(question: readonly Word[]): Expansion[] {
    const found = new Map<string, { stems: readonly string[]; words: Word[] }>();
    for (const { pattern, to } of this.#matches(question)) {
      const key = pattern.join(' ');
      const known = found.get(key);
      if (known === undefined) found.set(key, { stems: pattern, words: [...to] });
      else known.words.push(...to);
    }
    return [...found.values()];
  }

  /** True if the left side of a group begins with this stem. */
  begins(term: string): boolean {
    return this.#rules.has(term);
  }

  *#matches(question: readonly Word[]): Generator<Rule> {
    for (const [at, word] of question.entries()) {
      let matched = false;
      for (const rule of this.#rules.get(word.term) ?? []) {
        if (!rule.pattern.every((term, offset) => question[at + offset]?.term === term)) continue;
        matched = true;
        yield rule;
      }
      if (!matched) yield* this.#matchesOfParts(word);
    }
  }

  *#matchesOfParts(word: Word): Generator<Rule> {
    for (const part of new Set(word.parts)) {
      for (const { pattern, to } of this.#rules.get(part) ?? []) {
        if (pattern.length === 1) yield { pattern: [word.term], to };
      }
    }
  }
}
