import type { Hit, Language } from '../../kb/knowledge.ts';

export function clarification(
  _question: string,
  _language: Language,
  _hits: readonly Hit[],
  _cited: readonly string[],
): string | null {
  return null;
}
