import { texts as shared, language } from '../knowledge/texts.ts';
import { GERMAN } from './texts-de.ts';
import { ENGLISH } from './texts-en.ts';

/** What this page says: what an answer is called it says as the test page does. */
export const texts: Omit<typeof shared, keyof typeof GERMAN> & typeof GERMAN = {
  ...shared,
  ...(language === 'en' ? ENGLISH : GERMAN),
};
