import type * as knowledge from '../../events/catalog/knowledge.ts';
import type { EventDraft } from '../../events/define.ts';
import type { Coverage } from '../../kb/knowledge.ts';
import type { Language, Source } from '../../kb/source.ts';
import type { Hit } from '../../kb/hit.ts';
import type { ReviewBase } from '../../kb/review/review-base.ts';
import type { ReviewContext } from '../../kb/review/check.ts';
import type { Review } from '../../kb/review/review.ts';

import type { TimedEventDraft } from './lifecycle.ts';
import type { AskPorts, Draft, Part, Verdict } from '../../kb/answer/ports.ts';
import type { Statement } from '../../kb/answer/render.ts';

export interface AskInput {
  readonly request_id: string;
  readonly question: string;
  readonly mode: 'knowledge' | 'review';
  /** The data to be reviewed; only in review mode. */
  readonly context?: ReviewContext;
  /** The base with the rules of the review. */
  readonly reviewBase?: ReviewBase;
  readonly top_k: number;
  /** The name in `model` for refusals and quoted answers, which no language model has written. */
  readonly model: string;
  /** The time by the clock of `now` until which a language model may write; `null` if there is no model. */
  readonly modelUntil: number | null;
  /** Whether the answer is quoted if the language model does not answer. */
  readonly fallback: boolean;
  /** Monotonic milliseconds. The clock is injected, because the core has none. */
  readonly now: () => number;
}

/** The result of one search over all planned queries. */
export interface Retrieved {
  readonly hits: readonly Hit[];
  readonly coverage: Coverage;
  readonly parts: readonly Part[];
  /**
   * Titles for the possible meanings of a question that depends on something unsaid: the user is asked which one is
   * meant.
   */
  readonly readings: readonly string[];
  /** The results of the searches for the facts of a review. */
  readonly related: readonly (readonly Hit[])[];
  /** The sources that the checks of a review cite. */
  readonly cited: readonly Source[];
  /** The month of the law that the base describes, `YYYY-MM`; `null` if the base does not say. */
  readonly asOf: string | null;
  /** Whether the base's texts are law; `null` if the base does not say. */
  readonly law: boolean | null;
  readonly indexHash: string;
  /** Set if only the question was searched for, without its story: the question, and its search plan. */
  readonly inStory?: Pick<AskContext, 'asked' | 'queries'>;
}

export type AnswerGivenData = EventDraft<typeof knowledge.AnswerGiven>['data'];

/** Everything that an ask has found and decided so far. Its steps are in `steps.ts`. */
export interface AskContext {
  readonly input: AskInput;
  readonly ports: AskPorts;
  readonly startedAt: number;
  /** The question without pasted surroundings, and without its story if only the question alone is answered. */
  readonly asked: string;
  readonly language: Language;
  /** The search plan: the question, and its parts if it asks several things. */
  readonly queries: readonly string[];
  /** The searches for the facts of a review. */
  readonly factQueries: readonly string[];
  readonly events: readonly TimedEventDraft[];
  readonly coverage: Coverage | null;
  readonly parts: readonly Part[];
  readonly readings: readonly string[];
  /** The passages in context: hits that no newer version supersedes, ordered by the time for which they hold. */
  readonly hits: readonly Hit[];
  readonly superseded: readonly Source[];
  /** The sources that the facts of a review are compared with. */
  readonly cited: readonly Source[];
  /** Passages on the keys that a review does not know, in the order of `factQueries`. */
  readonly related: readonly (readonly Hit[])[];
  /** The review; `null` outside review mode. */
  readonly review: Review | null;
  readonly asOf: string | null;
  readonly law: boolean | null;
  /** The present writer: the language model first, if there is one. */
  readonly writing: 'model' | 'quoting';
  /** The number of recorded drafts. */
  readonly drafts: number;
  /** The number of repeated drafts by the present writer, and by all writers together. */
  readonly repeats: number;
  readonly regenerations: number;
  /** The verified statements of the language model's drafts, and the model's name. Quoting adds what is missing. */
  readonly kept: { readonly statements: readonly Statement[]; readonly writer: string } | null;
  /** Whether a statement of the language model was rejected and left out. */
  readonly leftOut: boolean;
  /** The time at which the newest draft was requested, and how long it took, by the clock of `now`. */
  readonly draftBegan: number;
  readonly draftMs: number;
  /**
   * The draft as the writer delivered it, before earlier kept statements and the notes that every answer needs are
   * added.
   */
  readonly written: Draft | null;
  readonly draft: Draft | null;
  readonly verdict: Verdict | null;
  /** Whether the newest draft failed like the one before. */
  readonly stuck: boolean;
  /** The writer of `draft`. */
  readonly writer: string;
  /** The draft of the present writer with the most verified statements. */
  readonly best: Judged | null;
  readonly answer: AnswerGivenData | null;
}

/** A draft with the result of its verification. */
export interface Judged {
  readonly written: Draft;
  readonly draft: Draft;
  readonly verdict: Verdict;
  readonly writer: string;
}
