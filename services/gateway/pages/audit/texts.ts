import { language, texts as shared, translatePage } from '../knowledge/texts.ts';
import { GERMAN } from './texts-de.ts';
import { ENGLISH } from './texts-en.ts';

export { language };

/** What this page says: what an answer is called it says as the test page does. */
export const texts: Omit<typeof shared, keyof typeof GERMAN> & typeof GERMAN = {
  ...shared,
  ...(language === 'en' ? ENGLISH : GERMAN),
};

export function translate(): void {
  translatePage(texts);
  document.title = texts.title;
}
