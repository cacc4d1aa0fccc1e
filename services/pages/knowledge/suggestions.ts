import { el, items } from '../dom.ts';

/** Questions as buttons that ask them; `null` if there are none. */
export function renderSuggestions(
  questions: readonly string[],
  onAsk: (question: string) => void,
): HTMLElement | null {
  if (questions.length === 0) return null;
  const buttons = questions.map((question) =>
    el('button', { type: 'button', onclick: () => onAsk(question) }, question),
  );
  return el('ul.suggestions', items(buttons));
}
