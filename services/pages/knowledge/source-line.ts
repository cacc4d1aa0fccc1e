import type { SourceReference } from '../../../events/messages/knowledge.ts';
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

/** The parts of a line that are not empty. */
export const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');
