import type { Analysis, Word } from '../analysis/analysis.ts';
import type { SynonymGroup } from '../base/synonyms.ts';
import type { Language } from '../knowledge.ts';

/** A synonym's left side as stems in a row, and the words of its right side. */
interface Rule {
  readonly pattern: readonly string[];
  readonly to: readonly Word[];
}

/** Finds the synonym groups that a question touches. */
export class Expander {
  readonly #rules = new Map<string, Rule[]>();

  constructor(groups: readonly SynonymGroup[], analysis: Analysis, lang: Language) {
    for (const group of groups) {
      const to = group.to.flatMap((term) => analysis.words(term, lang));
      for (const from of group.from) {
        const pattern = analysis.words(from, lang).map((word) => word.term);
        const first = pattern[0];
        if (first === undefined) continue;
        this.#rules.set(first, [...(this.#rules.get(first) ?? []), { pattern, to }]);
      }
    }
  }

  /** Words that the base uses for what was asked; those of the question itself are left out. */
  expand(question: readonly Word[]): Word[] {
    const asked = new Set(question.map((word) => word.term));
    const found = new Map<string, Word>();
    for (const { to } of this.#matches(question)) {
      for (const target of to) if (!asked.has(target.term)) found.set(target.term, target);
    }
    return [...found.values()];
  }

  /** The same, word by word: for the stem of each asked word the words of the groups that it belongs to. */
  expandEach(question: readonly Word[]): Map<string, readonly Word[]> {
    const found = new Map<string, readonly Word[]>();
    for (const { pattern, to } of this.#matches(question)) {
      for (const term of pattern) found.set(term, [...(found.get(term) ?? []), ...to]);
    }
    return found;
  }

  *#matches(question: readonly Word[]): Generator<Rule> {
    for (const [at, word] of question.entries()) {
      for (const rule of this.#rules.get(word.term) ?? []) {
        if (rule.pattern.every((term, offset) => question[at + offset]?.term === term)) yield rule;
      }
    }
  }
}
