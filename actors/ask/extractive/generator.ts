import type { Draft, DraftSentence, GenerateInput, Generator } from '../ports.ts';
import type { Candidate } from './candidates.ts';
import { rankSentences, type Ranked } from './rank.ts';
import { selectSentences } from './select.ts';

/** Something in brackets that a reader of the answer would take for a citation. */
const LIKE_A_CITATION = /\[[A-Za-z0-9][\w.-]*\]/u;

/**
 * The generator that needs no model: it quotes. Every statement is one sentence of one source, word for word (line
 * breaks as spaces), with that source's id. Deterministic: the same input gives the same draft.
 */
export function createExtractiveGenerator(): Generator {
  return {
    name: 'extractive',
    ready: true,
    generate: (input) => Promise.resolve(draftOf(input)),
  };
}

/** Sources whose sentences compete, best first: an answer hardly ever stands further down. */
const MAX_SOURCES = 5;
/** Sentences picked for a question, and for each part of one that asks several things. */
const MAX_PICKS = 3;
const MAX_PICKS_OF_PART = 2;

function draftOf(input: GenerateInput): Draft | null {
  const { parts, hits } = input;
  const statements = new Map<string, DraftSentence>();
  const add = (candidates: readonly Candidate[], part?: number): void => {
    for (const candidate of candidates) {
      const key = `${candidate.source.id} ${candidate.sentence.start}`;
      // It answers the part that it was first found for.
      if (!statements.has(key)) statements.set(key, statement(candidate, part));
    }
  };
  if (parts.length === 0) add(choose({ ...input, hits: hits.slice(0, MAX_SOURCES) }, MAX_PICKS));
  for (const [i, part] of parts.entries()) {
    if (!part.covered) continue;
    const { question } = part;
    add(choose({ ...input, question, hits: part.hits.slice(0, MAX_SOURCES) }, MAX_PICKS_OF_PART), i);
  }
  return statements.size === 0 ? null : { sentences: [...statements.values()] };
}

function choose(input: GenerateInput, maxPicks: number): Candidate[] {
  const { question, language, hits, previous, failures } = input;
  const ranked = rankSentences(question, language, hits).filter(
    ({ candidate }) => candidate.words.length > 0 && !LIKE_A_CITATION.test(candidate.sentence.text),
  );
  const open = stillOpen(ranked, previous, new Set(failures.map((failure) => failure.text)));
  const candidates = new Set(open.map((entry) => entry.candidate));
  return selectSentences(open, maxPicks).filter((candidate) => candidates.has(candidate));
}

/**
 * What may still be quoted after an attempt failed: what held, and nothing else, since it was likeliest before; where
 * nothing but lead-ins held, what ranks below all that was tried.
 */
function stillOpen(
  ranked: readonly Ranked[],
  previous: Draft | null,
  turnedDown: ReadonlySet<string>,
): readonly Ranked[] {
  if (previous === null) return ranked;
  const tried = new Set(previous.sentences.map((sentence) => sentence.text));
  const held = ranked.filter(
    ({ candidate }) => tried.has(quote(candidate)) && !turnedDown.has(quote(candidate)),
  );
  const last = ranked.findLastIndex(({ candidate }) => tried.has(quote(candidate)));
  return held.some(({ candidate }) => !candidate.sentence.text.endsWith(':')) ? held : ranked.slice(last + 1);
}

function statement(candidate: Candidate, part: number | undefined): DraftSentence {
  return {
    kind: 'statement',
    text: quote(candidate),
    citations: [candidate.source.id],
    ...(part === undefined ? {} : { part }),
  };
}

function quote(candidate: Candidate): string {
  return candidate.sentence.text.replaceAll(/\s+/gu, ' ');
}
