import { el, find } from '../dom.ts';
import { allow, commands } from './send-command.ts';
import { clearsLog } from './confirmations.ts';
import { change, view, type state } from './state.ts';

const list = find('#log-lines');
const follow = find('#follow', HTMLInputElement);
const clear = find('#clear-logs', HTMLButtonElement);

type Line = (typeof state)['logs'][number];

/** The log: it follows the newest line until someone scrolls up to read. */
export function showLogs(): void {
  let shown: Line[] = [];
  view(['logs'], ({ logs }) => {
    // New lines are added at the end, and old lines are dropped at the front.
    const first = shown.length === 0 ? -1 : logs.lastIndexOf(shown.at(-1)!);
    if (first === -1) list.replaceChildren(...logs.map(line));
    else list.append(...logs.slice(first + 1).map(line));
    while (list.childElementCount > logs.length) list.firstElementChild?.remove();
    shown = logs.slice();
    if (follow.checked) list.scrollTop = list.scrollHeight;
  });
  view(['readOnly'], () => allow(clear, true));

  list.addEventListener('scroll', () => {
    const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 24;
    if (follow.checked !== atEnd) follow.checked = atEnd;
  });
  follow.addEventListener('change', () => {
    if (follow.checked) list.scrollTop = list.scrollHeight;
  });
  commands(clear, '/api/dashboard/logs/clear', {
    sure: clearsLog,
    done() {
      change({ logs: [] });
      return 'Log cleared.';
    },
  });
}

const line = ({ text }: Line): HTMLElement => el('li', text);
