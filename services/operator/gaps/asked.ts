import type { Source } from '../../../kb/knowledge.ts';
import { personalDataIn } from '../../gateway/pages/personal-data.ts';
import { reasonsOf, type Answered } from './read.ts';

/** As the front matter of a source takes them. */
const MAX_LINES = 20;
const MAX_LENGTH = 200;

/**
 * Questions that showed a gap, by the source that was meant: one that feedback or a comment names by its id, else, where
 * the answer was rated up, the one that it rests on. Left out is what a source has already or has no room for, and what
 * seems to hold personal data.
 */
export function askedLines(
  answers: readonly Answered[],
  sources: readonly Pick<Source, 'id' | 'asked'>[],
): ReadonlyMap<string, readonly string[]> {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const lines = new Map<string, string[]>();
  for (const answer of answers) {
    const line = answer.question?.replace(/\s+/gu, ' ').trim();
    if (line === undefined || reasonsOf(answer).length === 0) continue;
    if (line.length > MAX_LENGTH || personalDataIn(line).length > 0) continue;
    for (const id of meantBy(answer, byId)) {
      const known = byId.get(id)!.asked ?? [];
      const added = lines.get(id) ?? [];
      const isKnown = [...known, ...added].some((other) => other.toLowerCase() === line.toLowerCase());
      if (isKnown || known.length + added.length >= MAX_LINES) continue;
      lines.set(id, [...added, line]);
    }
  }
  return new Map([...lines].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function meantBy(answer: Answered, sources: ReadonlyMap<string, unknown>): Set<string> {
  const said = [answer.feedback ?? '', ...answer.comments].join('\n');
  const named = said.match(/[A-Za-z0-9][\w.-]*[\w-]/gu)?.filter((word) => sources.has(word)) ?? [];
  if (named.length > 0 || answer.rating !== 'up') return new Set(named);
  const rests = answer.decisive.length > 0 ? answer.decisive : answer.citations;
  // One that rests on several does not tell which of them was meant.
  return new Set(rests.length === 1 ? rests.filter((id) => sources.has(id)) : []);
}
