import { readYaml } from '../base/yaml.ts';
import type { Source } from '../source.ts';
import { faultsOf } from './expression.ts';
import { namesOf, RulesFile, rulesOf } from './rules.ts';
import { tryFormulas } from './try-formulas.ts';
import { quantitiesOf, quantityNamed, sharedSpellings, VocabularyFile, type Quantity } from './vocabulary.ts';
import type { ReviewBase } from './review-base.ts';

type Tell = (line: number, message: string) => void;

/** Reads the review files of a base; empty if there are none. Figures come from the passages that the rules name. */
export function parseReview(
  { vocabulary, rules }: { vocabulary: string | undefined; rules: string | undefined },
  sources: readonly Source[],
  fault: {
    readonly vocabulary: Tell;
    readonly rules: Tell;
    /** Reports a rule that depends on a missing source. */
    readonly withoutSource: Tell;
  },
): ReviewBase {
  const quantities = vocabulary === undefined ? [] : parseVocabulary(vocabulary, fault.vocabulary);
  const read = rules === undefined ? undefined : readYaml(rules, RulesFile, fault.rules);
  if (read === undefined)
    return { quantities, figures: {}, terms: {}, rules: [], never: [], limits: [], remarks: [] };
  const byId = new Map(sources.map((source) => [source.id, source]));
  const tellBy =
    (tell: Tell) =>
    (path: readonly string[], message: string): void =>
      tell(read.lineOf(path), `${path[1]}: ${message}`);
  const tell = { fault: tellBy(fault.rules), withoutSource: tellBy(fault.withoutSource) };
  let faults = 0;
  const counted = (path: readonly string[], message: string): void => {
    faults += 1;
    tell.fault(path, message);
  };
  const base = { quantities, ...rulesOf(read.data, quantities, byId, { ...tell, fault: counted }) };
  if (faults === 0) tryFormulas(base, tell.fault);
  return base;
}

/** Reads `review.yaml`; every fault is reported with its line. */
export function parseVocabulary(text: string, fault: Tell): Quantity[] {
  const read = readYaml(text, VocabularyFile, fault);
  if (read === undefined) return [];
  const quantities = quantitiesOf(read.data);
  for (const { key, message } of sharedSpellings(quantities)) {
    fault(read.lineOf(['quantities', key]), `${key}: ${message}`);
  }
  for (const { key, settled_by: by } of quantities) {
    if (by !== undefined && quantityNamed(by, quantities) === undefined)
      fault(read.lineOf(['quantities', key, 'settled_by']), `${key}: settled_by ${by} is not a quantity`);
  }
  const names = new Set(namesOf(quantities));
  for (const { key, otherwise } of quantities) {
    if (otherwise === undefined) continue;
    for (const message of faultsOf(otherwise, names, 'a quantity or a choice'))
      fault(read.lineOf(['quantities', key, 'otherwise']), `${key}: otherwise ${message}`);
  }
  return quantities;
}
