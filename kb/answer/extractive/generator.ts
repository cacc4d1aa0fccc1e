import { plainAnalysis } from '../../analysis/analysis.ts';
import type { Hit } from '../../hit.ts';
import { headingOf, saysItself } from '../../heading.ts';
import { areTwins, hasSentence } from '../../ranking/twins.ts';
import { saysYesOrNo } from '../another-question.ts';
import { contradicting } from '../premise.ts';
import { DENIAL, frame } from '../templates.ts';
import type { Draft, GenerateInput, Generator } from '../ports.ts';
import type { Statement } from '../render.ts';
import { excerptOf, type Excerpt, type Told } from './excerpt.ts';
import { goesOnIn, inTextOrder, passagesFor, sectionOf, toldWhole } from './passages.ts';

/** Further passages of documents are quoted as a whole as long as the answer has at most this many words. */
const MOST_WORDS = 450;
/** The number of words that are quoted of a passage of a document that is unlikely to be meant. */
const FEW_WORDS = 60;

/**
 * The generator without a model: it quotes the passage that answers, in its own words and order. Every statement is one
 * literal sentence of it (line breaks as spaces), with the id of its source. Deterministic: equal input gives an equal
 * draft.
 */
export function createExtractiveGenerator(): Generator {
  return {
    name: 'extractive',
    ready: true,
    generate: (input) => Promise.resolve(draftOf(input)),
  };
}

function draftOf(input: GenerateInput): Draft | null {
  const { language, parts, hits } = input;
  const turnedDown = new Set(input.failures.map(({ text }) => text));
  const statements = new Map<string, Statement>();
  let cut = false;
  const denialIn = (question: string, { source }: Hit): string | null => {
    const denial = contradicting(question, language, source);
    return denial === null || turnedDown.has(denial) ? null : denial;
  };
  const tell = (question: string, found: readonly Hit[], part?: number): void => {
    const passages = passagesFor(question, found);
    const [first] = passages;
    const whole = toldWhole(passages, MOST_WORDS / Math.max(1, parts.length));
    const denials = new Map(passages.map((hit) => [hit, denialIn(question, hit)]));
    const excerpts = new Map<Hit, Excerpt | null>();
    const excerptFrom = (hit: Hit): Excerpt | null => {
      if (!excerpts.has(hit))
        excerpts.set(
          hit,
          excerptOf(
            question,
            language,
            hit,
            turnedDown,
            whole.has(hit) ? null : FEW_WORDS,
            denials.get(hit) ?? null,
          ),
        );
      return excerpts.get(hit)!;
    };
    // The relevance is that of the first hit. If none of it may be quoted, no other hit replaces it.
    if (first === undefined || excerptFrom(first) === null) return;
    const denying = passages.find((hit) => denials.get(hit) !== null);
    const inOrder =
      denying === undefined ? inTextOrder(passages) : [denying, ...passages.filter((hit) => hit !== denying)];
    const told = inOrder.filter((hit) => excerptFrom(hit) !== null);
    for (const hit of told) {
      const { id } = hit.source;
      const above = told[told.indexOf(hit) - 1];
      const isSameSection = above !== undefined && sectionOf(above.source) === sectionOf(hit.source);
      const excerpt = excerptFrom(hit);
      const denial = hit === denying ? denials.get(hit)! : null;
      const twins = twinsNamed(hit, excerpt, found);
      for (const [i, { text, quote, decisive, item, code, at }] of beginningWith(denial, excerpt).entries()) {
        const isDenial = i === 0 && text === denial;
        const isBehind = i === 1 && denial !== null && excerpt!.sentences[0]!.text !== denial;
        // If several passages are quoted, their headings tell the reader which passage is about which case, and which
        // question a `Yes` answers.
        const isUnderHeading =
          i === 0 &&
          (told.length > 1 || saysYesOrNo(hit.source) || saysItself(hit.source.title)) &&
          hit.source.units !== undefined &&
          !isDenial;
        const key = `${id} ${at}`;
        const known = statements.get(key);
        // A passage is quoted once, for the part of the question for which it was found first.
        if (known !== undefined) {
          if (part !== undefined)
            statements.set(key, { ...known, alsoFor: [...(known.alsoFor ?? []), part] });
          continue;
        }
        statements.set(key, {
          kind: 'statement',
          text,
          citations: [id, ...(twins.get(at) ?? [])],
          ...(quote === undefined ? {} : { quote }),
          ...(decisive ? { decisive } : {}),
          ...(isDenial ? { denial: DENIAL[language] } : {}),
          ...(item ? { item } : {}),
          ...(code ? { code } : {}),
          ...(isUnderHeading && !isSameSection ? { heading: headingOf(hit.source) } : {}),
          ...(isBehind || isUnderHeading ? { apart: true } : {}),
          ...(part === undefined ? {} : { part }),
        });
      }
      const isListCut = found.some(
        (next) =>
          !told.includes(next) && (goesOnIn(hit.source, next.source) || goesOnIn(next.source, hit.source)),
      );
      cut ||= isListCut || (excerpt?.cut ?? false);
    }
  };
  if (parts.length === 0) tell(input.question, hits);
  for (const [i, { question, covered, hits: found }] of parts.entries()) {
    if (!covered) continue;
    // A part such as `and how long?` has no word by which a sentence of a long text could be chosen.
    const asksNothing = plainAnalysis.words(question, language).length === 0;
    tell(asksNothing ? input.question : question, found, i);
  }
  if (statements.size === 0) return null;
  const frames = cut ? [{ kind: 'frame', text: frame('cut', language) } as const] : [];
  return { sentences: [...statements.values(), ...frames] };
}

/**
 * The passages of other documents with the same content, each under the index of the sentence behind which it is cited:
 * the decisive sentence if the passage contains it, or else the first quoted sentence that it contains. These passages
 * are cited and not quoted.
 */
function twinsNamed(
  { source }: Hit,
  excerpt: Excerpt | null,
  found: readonly Hit[],
): ReadonlyMap<number, readonly string[]> {
  const named = new Map<number, string[]>();
  const likeliest = (excerpt?.sentences ?? []).toSorted((a, b) => Number(b.decisive) - Number(a.decisive));
  for (const { source: twin } of found.filter((other) => areTwins(other.source, source))) {
    const same = likeliest.find(({ text, code }) => !code && hasSentence(twin, text));
    if (same !== undefined) named.set(same.at, [...(named.get(same.at) ?? []), twin.id]);
  }
  return named;
}

/** Puts a sentence that contradicts the question apart and before the others. */
function beginningWith(denial: string | null, excerpt: Excerpt | null): readonly Told[] {
  const sentences = excerpt?.sentences ?? [];
  const first = sentences.filter(({ text }) => text === denial);
  return [...first, ...sentences.filter(({ text }) => text !== denial)];
}
