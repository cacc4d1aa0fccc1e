import { el } from '../page/dom.js';

const GOOD_NEWS_MS = 8_000;
const MOST = 4;

const box = document.querySelector('#notices');

/** The result of a command, read aloud. Bad news stays until it is dismissed. */
export function notify(text, { bad = false } = {}) {
  const dismiss = el(
    'button',
    {
      type: 'button',
      className: 'quiet',
      onclick: () => notice.remove(),
      attributes: { 'aria-label': 'Dismiss' },
    },
    '×',
  );
  const notice = el(
    'div',
    { className: bad ? 'notice bad' : 'notice', attributes: { role: bad ? 'alert' : 'status' } },
    el('p', {}, text),
    dismiss,
  );
  box.append(notice);
  while (box.childElementCount > MOST) box.firstElementChild.remove();
  if (!bad) setTimeout(() => notice.remove(), GOOD_NEWS_MS);
}

const dialog = document.querySelector('#confirm');

/** Asks before something that cannot be undone; resolves to whether it was confirmed. */
export function confirmed({ title, text, yes }) {
  dialog.querySelector('#confirm-title').textContent = title;
  dialog.querySelector('#confirm-text').textContent = text;
  dialog.querySelector('#confirm-yes').textContent = yes;
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}
