import type { AskResponse } from '../../../events/messages/knowledge.ts';
import { bannerOf } from './answer-state.ts';
import { monthOf, texts } from './page-language.ts';
import { fileOf, joined, placeOf } from './source-line.ts';

/** The answer as text for use elsewhere: question, answer, how far it can be relied on, and its sources. */
export function textOf(answer: AskResponse): string {
  const { title, note } = bannerOf(answer, texts, monthOf);
  const sources = answer.sources.map(
    (source) => `[${source.id}] ${source.title} (${joined([placeOf(source), fileOf(source)])})`,
  );
  return [
    answer.question,
    answer.answer,
    `${title} – ${note}`,
    ...(sources.length === 0 ? [] : [`${texts.sources}:\n${sources.join('\n')}`]),
    `${texts.requestId}: ${answer.request_id}`,
  ].join('\n\n');
}
