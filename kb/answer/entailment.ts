import type { Draft, SentenceFailure, Verdict, Entailment } from './ports.ts';
import type { Statement } from './render.ts';
import { premisesOf, type VerifyContext } from './verify.ts';

/**
 * The least probability of an entailment. From one half on, neither a contradiction nor a neutral pair can be likelier.
 */
export const MIN_ENTAILED = 0.5;

/**
 * Checks with a model what the rules have accepted: a statement that is not a literal quote must be entailed by one of
 * the stretches that support it. The model can only reject. A statement that it cannot judge is rejected, and if it
 * does not answer there is no verdict.
 *
 * @throws {BelegError} `MODEL_UNAVAILABLE`.
 */
export async function verifyEntailed(
  draft: Draft,
  verdict: Verdict,
  context: VerifyContext,
  entailment: Entailment,
  signal: AbortSignal,
): Promise<Verdict> {
  const claims = claimsOf(draft, verdict, context);
  const pairs = claims.flatMap(({ text, premises }) =>
    premises.map((premise) => ({ premise, hypothesis: text })),
  );
  const probabilities = pairs.length === 0 ? [] : await entailment.entails(pairs, signal);
  let next = 0;
  const failures = claims.flatMap(({ sentence, text, premises }): SentenceFailure[] => {
    const judged = probabilities.slice(next, (next += premises.length));
    const entailed = judged.some((probability) => probability !== null && probability >= MIN_ENTAILED);
    return entailed ? [] : [{ sentence, text, rule: 'not_entailed' }];
  });
  if (failures.length === 0) return verdict;
  const all = [...verdict.failures, ...failures].sort((a, b) => a.sentence - b.sentence);
  return { verified: false, failures: all };
}

interface Claim {
  /** The index among the draft's sentences. */
  readonly sentence: number;
  readonly text: string;
  readonly premises: readonly string[];
}

/** The statements that the rules accept and that are worded differently than their sources. */
function claimsOf({ sentences }: Draft, { failures }: Verdict, context: VerifyContext): Claim[] {
  const failed = new Set(failures.map(({ sentence }) => sentence));
  const before: Statement[] = [];
  const claims: Claim[] = [];
  for (const [index, sentence] of sentences.entries()) {
    if (sentence.kind === 'frame') continue;
    const premises = failed.has(index) ? null : premisesOf(sentence, before, context);
    if (premises !== null) claims.push({ sentence: index, text: sentence.text, premises });
    before.push(sentence);
  }
  return claims;
}
