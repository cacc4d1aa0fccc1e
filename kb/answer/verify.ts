import { splitSentences, type Sentence } from '../sentences.ts';
import type { Language, Source } from '../source.ts';
import type { Hit } from '../hit.ts';
import { isCutQuote } from './cut-quote.ts';
import { headingOf } from '../heading.ts';
import { hasForeignMarkup } from './foreign-markup.ts';
import { hasLimitsOf } from './limit-words.ts';
import { negations } from './negation.ts';
import type { Draft, FailureRule, SentenceFailure, Verdict } from './ports.ts';
import { quantitiesIn, type Quantity } from './quantities.ts';
import type { Statement } from './render.ts';
import { itemsBelow, sentencesOf, squeeze } from './source-sentences.ts';
import { matchFrame, type FrameContext } from './templates.ts';
import { contentTerms, overlap } from './content-terms.ts';

export interface VerifyContext {
  /** The language of the draft. */
  readonly language: Language;
  /** The hits that the generator got. */
  readonly hits: readonly Hit[];
  /** Whether the base has this id. */
  readonly exists: (id: string) => boolean;
  readonly frames: FrameContext;
}

/** The share of a statement's content words that one stretch of its source must contain. */
const MIN_COVERAGE = 0.7;
/**
 * The share for each clause of a statement. It is lower than that of the whole, because clauses are short, and one of
 * two words may be replaced.
 */
const MIN_CLAUSE_COVERAGE = 0.5;
/** The share that each further cited source must contain: an id that adds nothing is no citation. */
const MIN_CONTRIBUTION = 0.3;

/**
 * Whether every sentence of a draft holds. Pure, and equal for every generator; it never adds or replaces a citation.
 *
 * A statement holds if it is a whole quote of a cited source (from the border of a sentence or list item to another
 * border), or if ONE sentence of a cited source (a list item with its lead-in, or a whole list) contains all its
 * references, its numbers with their units, as many negations, and at least 70 % of its content words. Two sentences of
 * a source must be two statements: in one merged statement nothing shows to which of them a negation belongs. A quote
 * that is cut within a sentence holds if the cut is marked and leaves out no negation; any other text is judged as a
 * statement in other words. `Nein:` before a statement holds if the statement contradicts an assumption of the
 * question.
 */
export function verify(draft: Draft, context: VerifyContext): Verdict {
  const sources = new Map(context.hits.map((hit) => [hit.source.id, hit.source]));
  const before: Statement[] = [];
  const failures: SentenceFailure[] = [];
  for (const [index, sentence] of draft.sentences.entries()) {
    const rule =
      sentence.kind === 'frame'
        ? matchFrame(sentence.text, context.frames) === undefined
          ? 'unknown_frame'
          : null
        : checkStatement(sentence, before, sources, context);
    if (rule !== null) failures.push({ sentence: index, text: sentence.text, rule });
    if (sentence.kind === 'statement') before.push(sentence);
  }
  if (!draft.sentences.some((sentence) => sentence.kind === 'statement')) {
    failures.push({ sentence: 0, text: '', rule: 'empty_draft' });
  }
  return { verified: failures.length === 0, failures };
}

function checkStatement(
  { text, citations, quote, denial, heading }: Statement,
  before: readonly Statement[],
  inContext: ReadonlyMap<string, Source>,
  { exists, language, frames }: VerifyContext,
): FailureRule | null {
  if (citations.length === 0) return 'no_citation';
  if (denial !== undefined && !citations.some((id) => frames.contradicts(text, id))) return 'unknown_frame';
  const sources = citations.flatMap((id) => inContext.get(id) ?? []);
  if (sources.length < citations.length) {
    return citations.every((id) => exists(id)) ? 'not_in_context' : 'unknown_source';
  }
  if (heading !== undefined && !sources.some((source) => headingOf(source) === heading))
    return 'unknown_frame';
  if (quote !== undefined && !sources.some((source) => hasPassage(source.text, quote))) {
    return 'quote_not_in_source';
  }
  if (hasForeignMarkup(text, sources)) return 'foreign_markup';
  const verdicts = sources.map((source) =>
    isQuote(text, source, before) || isCutQuote(text, source) ? null : support(text, language, source),
  );
  if (verdicts.every((rule) => rule !== null)) return verdicts[0]!;
  const terms = contentTerms(text, language);
  const idle = sources.some(
    (source, i) =>
      verdicts[i] !== null && overlap(terms, contentTerms(source.text, source.lang)) < MIN_CONTRIBUTION,
  );
  return idle ? 'content_not_covered' : null;
}

/**
 * The stretches of its sources that support a verified statement, each with text that it depends on, such as a lead-in;
 * `null` for a literal quote, which needs none.
 */
export function premisesOf(
  { text, citations }: Statement,
  before: readonly Statement[],
  { hits, language }: VerifyContext,
): readonly string[] | null {
  const sources = hits.map((hit) => hit.source).filter(({ id }) => citations.includes(id));
  if (sources.some((source) => isQuote(text, source, before) || isCutQuote(text, source))) return null;
  const claim = claimOf(text, language);
  return sources.flatMap((source) =>
    [...stretches(source)]
      .filter((stretch) => compare(claim, stretch, source) === null)
      .map((stretch) => `${source.title}, ${source.section} (${source.work}): ${stretch}`),
  );
}

/** Whether a text contains a literal passage. White space, dashes and quotation marks may differ. */
function hasPassage(text: string, passage: string): boolean {
  const wanted = plain(passage);
  return wanted !== '' && plain(text).includes(wanted);
}

function plain(text: string): string {
  return squeeze(text.normalize('NFC'))
    .replaceAll(/\p{Pd}/gu, '-')
    .replaceAll(/["„“”«»‟]/gu, '"')
    .replaceAll(/['‚‘’‹›‛]/gu, "'");
}

/**
 * The rules in the order in which they are checked. If all stretches fail, the failure is that of the stretch that
 * passed the most rules.
 */
const RULES: readonly FailureRule[] = [
  'content_not_covered',
  'number_not_in_source',
  'unit_not_in_source',
  'reference_not_in_source',
  'limit_not_in_source',
  'negation_differs',
];

/** `null` if one stretch of the source supports the text; otherwise the rule that its nearest stretch breaks. */
function support(text: string, language: Language, source: Source): FailureRule | null {
  const whole = supportOf(text, language, source);
  const sentences = splitSentences(text);
  if (whole !== null || sentences.length < 2) return whole;
  // Each stretch is a single sentence: an invented sentence must not pass because of the words of a long true one.
  for (const { text: sentence, lead } of sentences) {
    const said = lead === null ? sentence : `${sentences[lead]!.text} ${sentence}`;
    const rule = supportOf(said, language, source);
    if (rule !== null) return rule;
  }
  return null;
}

function supportOf(text: string, language: Language, source: Source): FailureRule | null {
  const claim = claimOf(text, language);
  let nearest = 0;
  for (const stretch of stretches(source)) {
    const rule = compare(claim, stretch, source);
    if (rule === null) return null;
    nearest = Math.max(nearest, RULES.indexOf(rule));
  }
  return RULES[nearest]!;
}

/** Where a clause may begin; a comma within a number does not count. */
const CLAUSE = /[;:–—]|,(?!\d)/u;

interface Claim {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  /** The terms of each clause. */
  readonly clauses: readonly ReadonlySet<string>[];
  readonly quantities: readonly Quantity[];
  readonly negations: number;
}

function claimOf(text: string, language: Language): Claim {
  return {
    text,
    terms: contentTerms(text, language),
    clauses: text.split(CLAUSE).map((clause) => contentTerms(clause, language)),
    quantities: quantitiesIn(text, language),
    negations: negations(text),
  };
}

function compare(claim: Claim, stretch: string, source: Source): FailureRule | null {
  const named = `${source.title} ${source.section} ${source.work}`;
  const known = contentTerms(`${stretch} ${named}`, source.lang);
  if (overlap(claim.terms, known) < MIN_COVERAGE) return 'content_not_covered';
  // An invented clause must not pass by the words of a long true one.
  if (claim.clauses.some((terms) => overlap(terms, known) < MIN_CLAUSE_COVERAGE))
    return 'content_not_covered';
  const stated = quantitiesIn(stretch, source.lang);
  const cited = quantitiesIn(named, source.lang);
  for (const quantity of claim.quantities) {
    if (quantity.kind === 'reference') continue;
    if (!stated.some((other) => sameValue(quantity, other))) return 'number_not_in_source';
    if (!stated.some((other) => sameValue(quantity, other) && sameUnit(quantity, other))) {
      return 'unit_not_in_source';
    }
  }
  for (const quantity of claim.quantities) {
    if (quantity.kind !== 'reference') continue;
    if (![...stated, ...cited].some((other) => sameValue(quantity, other))) return 'reference_not_in_source';
  }
  if (!hasLimitsOf(claim.text, `${stretch} ${named}`)) return 'limit_not_in_source';
  return claim.negations === negations(stretch) ? null : 'negation_differs';
}

/**
 * Whether a claimed value equals a stated one. A year or month may be taken from a full date; everything else must be
 * equal.
 */
function sameValue(claimed: Quantity, stated: Quantity): boolean {
  if (claimed.kind === stated.kind && claimed.value === stated.value) return true;
  if (stated.kind !== 'date') return false;
  return claimed.kind === 'reference' ? false : stated.value.startsWith(`${claimed.value}-`);
}

function sameUnit(claimed: Quantity, stated: Quantity): boolean {
  return claimed.unit === stated.unit || stated.kind === 'date';
}

/**
 * The stretches of a source: sentences, list items with their lead-in (which may deny them), and each list as a whole.
 */
function* stretches(source: Source): Generator<string> {
  const sentences = sentencesOf(source);
  const lists = itemsBelow(sentences);
  for (const [i, { text, lead }] of sentences.entries()) {
    yield lead === null ? text : `${sentences[lead]!.text} ${text}`;
    const items = lists.get(i);
    if (items !== undefined) yield [text, ...items.map((at) => sentences[at]!.text)].join(' ');
  }
}

/**
 * Whether a text consists of whole sentences of the source in its own words and order. White space may differ, except
 * in code. List items may follow their lead-in with other items left out between. An item without its lead-in is whole
 * only if the lead-in denies nothing, or is quoted `before` it from the same source.
 */
export function isQuote(text: string, source: Source, before: readonly Statement[] = []): boolean {
  const sentences = sentencesOf(source);
  // Code counts as one sentence if the source has it line by line.
  if (sentences.some((sentence) => sentence.form === 'code' && sentence.text === text)) return true;
  const wanted = squeeze(text);
  return (
    wanted !== '' &&
    sentences.some((first, at) => {
      const lead = first.lead === null ? undefined : sentences[first.lead];
      if (lead !== undefined && negations(lead.text) > 0 && !isStated(lead.text, source, before))
        return false;
      return wanted.startsWith(first.text) && followsOn(at, wanted.slice(first.text.length), sentences);
    })
  );
}

function isStated(lead: string, source: Source, before: readonly Statement[]): boolean {
  return before.some(({ text, citations }) => citations.includes(source.id) && squeeze(text).endsWith(lead));
}

/**
 * Whether a text consists of these sentences, one after the other. Only bullets may be between two of them in the
 * source.
 */
function followsOn(first: number, remainder: string, sentences: readonly Sentence[]): boolean {
  let last = first;
  let rest = unbullet(remainder);
  while (rest !== '') {
    const next = sentences.findIndex(
      ({ text, lead }, i) => i > last && (i === last + 1 || lead === first) && rest.startsWith(text),
    );
    if (next === -1) return false;
    rest = unbullet(rest.slice(sentences[next]!.text.length));
    last = next;
  }
  return true;
}

const unbullet = (text: string): string => text.replace(/^\s*(?:[-*•–]\s)?/u, '');
