import { el, find } from '../dom.ts';

const GOOD_NEWS_MS = 6_000;
const MOST = 4;

const box = find('#notices');

/** Shows the result of a command, read aloud. An error stays until it is dismissed. */
export function notify(text: string, { bad = false } = {}): void {
  const onclick = () => notice.remove();
  const notice: HTMLElement = el(
    'div',
    { className: bad ? 'notice error' : 'notice', role: bad ? 'alert' : 'status' },
    el('p', text),
    el('button.quiet', { type: 'button', onclick, ariaLabel: 'Dismiss' }, '×'),
  );
  box.append(notice);
  while (box.childElementCount > MOST) box.firstElementChild?.remove();
  if (!bad) setTimeout(() => notice.remove(), GOOD_NEWS_MS);
}
