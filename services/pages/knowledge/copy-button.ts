import { el } from '../dom.ts';
import { texts } from './page-language.ts';

const COPIED_MS = 1_500;

/**
 * A button that copies a value. `null` if the browser does not allow copying, as on a page without TLS from another
 * machine.
 */
export function copyButton(value: string, name: string, label = texts.copy): HTMLElement | null {
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) return null;
  const words = texts.copyName(name);
  const button = el('button.copy', { type: 'button', title: words, ariaLabel: words }, label);
  const copy = async () => {
    try {
      await clipboard.writeText(value);
      button.textContent = texts.copied;
    } catch {
      button.textContent = texts.notCopied;
    }
    setTimeout(() => (button.textContent = label), COPIED_MS);
  };
  button.addEventListener('click', () => void copy());
  return button;
}
