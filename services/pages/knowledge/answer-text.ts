import type { AskResponse, SourceReference } from '../../../events/messages/knowledge.ts';
import { bannerOf } from './answer-state.ts';
import { monthOf, texts } from './page-language.ts';

/** The title, section and date of a source. */
export function placeOf({ work, title, section, stand, dated, path }: SourceReference): string {
  // The headings of a document begin with its title.
  const isNamed = path !== null && (work === title || section === work || section.startsWith(`${work} › `));
  return joined([isNamed ? '' : work, section, dated ? `${texts.stand} ${monthOf(stand)}` : '']);
}

/** The file of a source with its page; empty for a source without a file. */
export function fileOf({ path, page }: SourceReference): string {
  if (path === null) return '';
  return page === null ? path : `${path}, ${texts.page(page)}`;
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');

/** The answer as text for use elsewhere: question, answer, how far to rely on it, and its sources. */
export function textOf(answer: AskResponse): string {
  const { title, note } = bannerOf(answer, texts, monthOf);
  const sources = answer.sources.map(
    (source) => `[${source.id}] ${source.title} (${joined([placeOf(source), fileOf(source)])})`,
  );
  return [
    answer.question,
    answer.answer,
    `${title} – ${note}`,
    ...(sources.length === 0 ? [] : [`${texts.sources}:\n${sources.join('\n')}`]),
    `${texts.requestId}: ${answer.request_id}`,
  ].join('\n\n');
}
