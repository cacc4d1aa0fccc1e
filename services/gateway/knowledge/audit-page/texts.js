import { language, texts as shared, translatePage } from '../page/texts.js';
import { GERMAN } from './texts-de.js';
import { ENGLISH } from './texts-en.js';

export { language };

/** What this page says: what an answer is called it says as the test page does. */
export const texts = { ...shared, ...(language === 'en' ? ENGLISH : GERMAN) };

export function translate() {
  translatePage(texts);
  document.title = texts.title;
}
