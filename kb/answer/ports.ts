import type { AboutBase } from '../base/about.ts';
import type { KnowledgeIndex } from '../knowledge.ts';
import type { Language } from '../source.ts';
import type { Hit } from '../hit.ts';
import type { Denial } from './templates.ts';

/**
 * A sentence of a draft. A statement cites sources; a frame is one of the fixed sentences in `templates.ts` and cites
 * nothing.
 */
export type DraftSentence =
  | {
      readonly kind: 'statement';
      readonly text: string;
      readonly citations: readonly string[];
      /** The index of the part of the question that the sentence answers, if the question has parts. */
      readonly part?: number;
      /** The indexes of further parts that the sentence answers. */
      readonly alsoFor?: readonly number[];
      /** Whether this is the sentence that answers the question. */
      readonly decisive?: boolean;
      /** Set if the sentence contradicts an assumption of the question; such a sentence comes first. */
      readonly denial?: Denial;
      /** Whether the sentence is an item of a list or a row of a table, which begins a line. */
      readonly item?: boolean;
      /** Whether the sentence is code, which has a block of its own and keeps its line ends. */
      readonly code?: true;
      /**
       * The headings of the sentence's source. They are shown above the sentence if an answer has several passages of
       * documents.
       */
      readonly heading?: string;
      /** Whether the sentence begins a paragraph: the text around the decisive sentence, or another passage. */
      readonly apart?: true;
      /** The words that the writer claims to quote from the cited source. */
      readonly quote?: string;
    }
  | { readonly kind: 'frame'; readonly text: string };

export interface Draft {
  readonly sentences: readonly DraftSentence[];
  /** The question that the writer would ask back, if the question is ambiguous. */
  readonly questionBack?: string;
}

/** A sentence that the verifier rejected, and the rule that it broke. A generator gets these for its next attempt. */
export interface SentenceFailure {
  /** The index among the draft's sentences. */
  readonly sentence: number;
  readonly text: string;
  readonly rule: FailureRule;
}

export type FailureRule =
  | 'no_citation'
  | 'unknown_source'
  | 'not_in_context'
  | 'quote_not_in_source'
  | 'number_not_in_source'
  | 'unit_not_in_source'
  | 'reference_not_in_source'
  | 'limit_not_in_source'
  | 'negation_differs'
  | 'content_not_covered'
  | 'not_entailed'
  | 'unknown_frame'
  | 'foreign_markup'
  | 'empty_draft';

export interface Verdict {
  readonly verified: boolean;
  readonly failures: readonly SentenceFailure[];
}

/** One part of a question that asks several things. */
export interface Part {
  readonly question: string;
  /** Whether the base contains something about this part. */
  readonly covered: boolean;
  /** The hits for this part, best first. */
  readonly hits: readonly Hit[];
}

export interface GenerateInput {
  readonly question: string;
  /** The parts of the question; empty if it asks one thing. */
  readonly parts: readonly Part[];
  readonly language: Language;
  /** The hits, best first. */
  readonly hits: readonly Hit[];
  readonly attempt: number;
  /** Failures of the previous attempt; empty at first. */
  readonly failures: readonly SentenceFailure[];
  readonly previous: Draft | null;
}

/** Writes drafts. `null` means that it finds no answer in the passages, or that the model's reply cannot be read. */
export interface Generator {
  /** Name of the model, as `model` in the response. */
  readonly name: string;
  readonly ready: boolean;
  generate(input: GenerateInput, signal: AbortSignal): Promise<Draft | null>;
  /**
   * The parts of a question in which the rules find none; `null` if there are none. Absent if the writer cannot tell.
   */
  plan?(question: string, language: Language, signal: AbortSignal): Promise<readonly string[] | null>;
}

/** The ports of one ask. */
export interface AskPorts {
  readonly retriever: Retriever;
  readonly quoting: Generator;
  /** The language model that writes answers. If it fails, or its draft is rejected, the answer is quoted. */
  readonly model?: Generator | null;
  /** A further check of what the verifier's rules accept. */
  readonly entailment?: Entailment | null;
}

/**
 * The index that an ask searches. It stays the same until the ask ends, even if another index is put in service
 * meanwhile.
 */
export interface Retriever extends Pick<
  KnowledgeIndex,
  'hash' | 'languages' | 'search' | 'coverage' | 'source'
> {
  readonly about: Pick<AboutBase, 'asOf' | 'law'> | null;
}

export interface EntailmentPair {
  /** The statement of a source, with its headings. */
  readonly premise: string;
  /** The statement of an answer. */
  readonly hypothesis: string;
}

/** A model of natural language inference. */
export interface Entailment {
  readonly name: string;
  /** False while the model is known to be unavailable. */
  readonly ready: boolean;
  /**
   * The probability that each premise entails its hypothesis, 0 … 1; `null` if a pair is too long for the model.
   * Rejects with `MODEL_UNAVAILABLE`, or with the reason of `signal`.
   */
  entails(pairs: readonly EntailmentPair[], signal: AbortSignal): Promise<readonly (number | null)[]>;
}
