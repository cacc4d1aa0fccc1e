import type { HealthResponse } from '../../gateway/knowledge/health.ts';
import { el } from '../dom.ts';
import { renderSuggestions } from './suggestions.ts';
import { monthOf, texts } from './page-language.ts';

type Base = NonNullable<HealthResponse['base']>;

/** Describes the knowledge base before the first question: its topics, and questions to begin with. */
export function renderBase(
  { title, as_of, topics, questions }: Base,
  onAsk: (question: string) => void,
): HTMLElement[] {
  const examples = renderSuggestions(questions, onAsk);
  return [
    el('h2', title),
    ...(as_of === null ? [] : [el('p.hint', texts.baseAsOf(monthOf(as_of)))]),
    ...(examples === null ? [] : [el('h3', texts.examples), examples]),
    ...(topics.length === 0 ? [] : [el('h3', texts.topics), el('p', topics.join(' · '))]),
  ];
}
