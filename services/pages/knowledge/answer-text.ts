import type { AskResponse, SourceReference } from '../../../events/messages/knowledge.ts';
import { bannerOf } from './answer-state.ts';
import { monthOf, texts } from './page-language.ts';

/** Where a source is to be found, and of when, where it has a date of its own. */
export function placeOf({ work, title, section, stand, dated, path }: SourceReference): string {
  // The headings of a document begin with its title.
  const isNamed = path !== null && (work === title || section === work || section.startsWith(`${work} › `));
  return joined([isNamed ? '' : work, section, dated ? `${texts.stand} ${monthOf(stand)}` : '']);
}

/** The document that a source is of, and the page there; empty for what is of none. */
export function fileOf({ path, page }: SourceReference): string {
  if (path === null) return '';
  return page === null ? path : `${path}, ${texts.page(page)}`;
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');

/** All that a reader elsewhere needs: question, answer, how far to rely on it, and its sources. */
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
