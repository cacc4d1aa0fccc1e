import type { Problem } from '../http.ts';
import { GERMAN_FAULTS, GERMAN_TITLES, inLanguage, TEXTS, type Language } from './languages.ts';

export const language: Language = navigator.language.toLowerCase().startsWith('en') ? 'en' : 'de';

/** What the page says: German, or English where the browser prefers it. */
export const texts = inLanguage(TEXTS, language);

/** The title of an error body in the language of the page; English ones come with the error. */
export function titleOf(problem: Problem): string {
  return (language === 'de' && GERMAN_TITLES[problem.code]) || problem.title;
}

/** What the service says of a field at fault, in the language of the page where it is known. */
export function faultOf(message: string): string {
  if (language === 'en') return message;
  const known = GERMAN_FAULTS.find(([pattern]) => pattern.test(message));
  return known === undefined ? message : message.replace(...known);
}

/** `2022-03` as März 2022; anything else as it is. */
export function monthOf(stand: string): string {
  const date = new Date(`${stand}-01T00:00:00Z`);
  if (!/^\d{4}-\d{2}$/.test(stand) || Number.isNaN(date.getTime())) return stand;
  return date.toLocaleDateString(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** A page is written in German; each of its elements holds its English. */
export function translatePage(): void {
  document.documentElement.lang = language;
  if (language === 'de') return;
  for (const node of document.querySelectorAll<HTMLElement>('[data-en]')) node.textContent = node.dataset.en!;
}
