import type { Problem } from '../http.ts';
import { GERMAN_FAULTS, GERMAN_TITLES, inLanguage, TEXTS, type Language } from './languages.ts';

export const language: Language = navigator.language.toLowerCase().startsWith('en') ? 'en' : 'de';

/** The texts of the page: German, or English if the browser prefers it. */
export const texts = inLanguage(TEXTS, language);

/** The title of an error in the language of the page; English ones come with the error. */
export function titleOf(problem: Problem): string {
  return (language === 'de' && GERMAN_TITLES[problem.code]) || problem.title;
}

/** The service's message for a faulty field, in the language of the page if it is known. */
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

/** The page is written in German, and its elements have their English text as an attribute. */
export function translatePage(): void {
  document.documentElement.lang = language;
  if (language === 'de') return;
  for (const node of document.querySelectorAll<HTMLElement>('[data-en]')) node.textContent = node.dataset.en!;
}
