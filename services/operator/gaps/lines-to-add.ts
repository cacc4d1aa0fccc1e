import { MAX_LENGTH, MAX_LINES } from '../../../kb/base/front-matter.ts';
import type { Source } from '../../../kb/source.ts';
import { personalDataIn } from '../../foundation/personal-data.ts';
import { reasonsOf, type Answered } from './read-answers.ts';

/** Lines for a source's front matter: questions that it answers, and questions near it that it does not. */
export type Lines = Pick<Source, 'asked' | 'unanswered'>;

/**
 * Questions that showed a gap, by the source that was meant: the source that feedback or a comment names by its id,
 * otherwise the one on which a rated answer rests. If the answer was rated down, that source does not answer the
 * question. Questions are left out that a source already has or has no room for, or that seem to have personal data.
 */
export function linesToAdd(
  answers: readonly Answered[],
  sources: readonly (Pick<Source, 'id'> & Lines)[],
): ReadonlyMap<string, Lines> {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const lines = new Map<string, Lines>();
  for (const answer of answers) {
    const line = answer.question?.replace(/\s+/gu, ' ').trim();
    if (line === undefined || reasonsOf(answer).length === 0) continue;
    if (line.length > MAX_LENGTH || personalDataIn(line).length > 0) continue;
    const named = namedIn(answer, byId);
    const kind = named.length === 0 && answer.rating === 'down' ? 'unanswered' : 'asked';
    for (const id of named.length > 0 ? named : ratedSource(answer, byId)) {
      const known = byId.get(id)![kind] ?? [];
      const added = lines.get(id)?.[kind] ?? [];
      const isKnown = [...known, ...added].some((other) => other.toLowerCase() === line.toLowerCase());
      if (isKnown || known.length + added.length >= MAX_LINES) continue;
      lines.set(id, { ...lines.get(id), [kind]: [...added, line] });
    }
  }
  return new Map([...lines].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function namedIn(answer: Answered, sources: ReadonlyMap<string, unknown>): string[] {
  const said = [answer.feedback ?? '', ...answer.comments].join('\n');
  return [...new Set(said.match(/[A-Za-z0-9][\w.-]*[\w-]/gu)?.filter((word) => sources.has(word)))];
}

function ratedSource(answer: Answered, sources: ReadonlyMap<string, unknown>): string[] {
  if (answer.rating === null) return [];
  const rests = answer.decisive.length > 0 ? answer.decisive : answer.citations;
  // An answer that rests on several sources does not tell which was meant.
  return rests.length === 1 ? rests.filter((id) => sources.has(id)) : [];
}
