import { basename, resolve } from 'node:path';
import type { z } from 'zod';
import { BelegError } from '../../events/errors.ts';
import type { KnowledgeHealth, SourceText } from '../../events/messages/knowledge.ts';
import type { Fault } from '../../kb/base/faults.ts';
import { OWN_FILES } from '../../kb/base/walk.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { textHashOf } from '../../kb/source-text.ts';

/**
 * Shows a source.
 *
 * @throws {BelegError} `UNKNOWN_SOURCE`.
 */
export function showSource(index: Pick<KnowledgeIndex, 'source'>, id: string): SourceText {
  const source = index.source(id);
  if (source === undefined) throw new BelegError('UNKNOWN_SOURCE');
  const { title, section, stand, work, url = null, path = null, page = null, year, text } = source;
  const dated = source.undated === undefined;
  return {
    id,
    title,
    section,
    stand,
    dated,
    work,
    url,
    path,
    page,
    year,
    text,
    text_hash: textHashOf(source),
  };
}

/** The most files in one reply, because the bus limits its size. */
const MAX_NAMED = 1_000;

/** The most files in a health reply, because health is requested often. */
const MAX_IN_HEALTH = 20;

/** The left-out files of a base, for the caller of a reindex. */
export const reasonsOf = (leftOut: readonly Fault[]): { path: string; reason: string }[] =>
  leftOut.slice(0, MAX_NAMED).map(({ file, line, message }) => ({
    path: file,
    reason: line === 0 ? message : `line ${line}: ${message}`,
  }));

/** The first left-out files in health, each once. The base's own files are no documents. */
export const firstLeftOut = (leftOut: readonly Fault[]): { path: string; reason: string }[] =>
  [...new Map(reasonsOf(leftOut.toReversed()).map((named) => [named.path, named])).values()]
    .filter(({ path }) => !OWN_FILES.includes(path))
    .toReversed()
    .slice(0, MAX_IN_HEALTH);

/** The description of a base in health. A base without a title of its own has the name of its folder. */
export function aboutBase(
  { about }: Pick<KnowledgeIndex, 'about'>,
  folder: string,
): z.output<typeof KnowledgeHealth.reply>['base'] {
  if (about === null) return null;
  const { asOf, topics, questions } = about;
  const title = about.title ?? basename(resolve(folder));
  return { title, as_of: asOf, topics: [...topics], questions: [...questions] };
}
