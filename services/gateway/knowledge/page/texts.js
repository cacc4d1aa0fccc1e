import { GERMAN, GERMAN_FAULTS, GERMAN_TITLES } from './texts-de.js';
import { ENGLISH } from './texts-en.js';

export const language = navigator.language.toLowerCase().startsWith('en') ? 'en' : 'de';

/** What the page says: German, or English where the browser prefers it. */
export const texts = language === 'en' ? ENGLISH : GERMAN;

/** The title of an error body in the language of the page; English ones come with the error. */
export function titleOf(problem) {
  return (language === 'de' && GERMAN_TITLES[problem.code]) || problem.title;
}

/** What the service says of a field at fault, in the language of the page where it is known. */
export function faultOf(message) {
  if (language === 'en') return message;
  const known = GERMAN_FAULTS.find(([pattern]) => pattern.test(message));
  return known === undefined ? message : message.replace(...known);
}

/** `2022-03` as März 2022; anything else as it is. */
export function monthOf(stand) {
  const date = new Date(`${stand}-01T00:00:00Z`);
  if (!/^\d{4}-\d{2}$/.test(stand) || Number.isNaN(date.getTime())) return stand;
  return date.toLocaleDateString(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** Puts the texts into a page that was written in German. */
export function translatePage(words = texts) {
  document.documentElement.lang = language;
  for (const node of document.querySelectorAll('[data-text]')) node.textContent = words[node.dataset.text];
  for (const node of document.querySelectorAll('[data-placeholder]')) {
    node.placeholder = words[node.dataset.placeholder];
  }
}
