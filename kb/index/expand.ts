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
    for (const [at, word] of question.entries()) {
      for (const { pattern, to } of this.#rules.get(word.term) ?? []) {
        if (!pattern.every((term, offset) => question[at + offset]?.term === term)) continue;
        for (const target of to) if (!asked.has(target.term)) found.set(target.term, target);
      }
    }
    return [...found.values()];
  }
}
