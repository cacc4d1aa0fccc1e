import type { z } from 'zod';
import { BelegError } from '../../events/errors.ts';
import type { KnowledgeHealth, SourceText } from '../../events/messages/knowledge.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { textHashOf } from '../../kb/source-text.ts';

/** @throws BelegError `UNKNOWN_SOURCE` */
export function showSource(index: Pick<KnowledgeIndex, 'source'>, id: string): SourceText {
  const source = index.source(id);
  if (source === undefined) throw new BelegError('UNKNOWN_SOURCE');
  const { title, section, stand, work, year, text } = source;
  return { id, title, section, stand, work, year, text, text_hash: textHashOf(source) };
}

/** What a base says of itself, as health shows it. */
export function aboutBase({
  about,
}: Pick<KnowledgeIndex, 'about'>): z.output<typeof KnowledgeHealth.reply>['base'] {
  if (about === null) return null;
  const { title, asOf, topics, questions } = about;
  return { title, as_of: asOf, topics: [...topics], questions: [...questions] };
}
