import type { AskResponse, SourceReference } from '../../../events/messages/knowledge.ts';
import { bannerOf } from './answer-state.ts';
import { monthOf, texts } from './page-language.ts';

/** Where a source is to be found, and of when. */
export function placeOf({ work, section, stand }: SourceReference): string {
  return [work, section, `${texts.stand} ${monthOf(stand)}`].filter((part) => part !== '').join(' · ');
}

/** All that a reader elsewhere needs: question, answer, how far to rely on it, and its sources. */
export function textOf(answer: AskResponse): string {
  const { title, note } = bannerOf(answer, texts, monthOf);
  const sources = answer.sources.map((source) => `[${source.id}] ${source.title} (${placeOf(source)})`);
  return [
    answer.question,
    answer.answer,
    `${title} – ${note}`,
    ...(sources.length === 0 ? [] : [`${texts.sources}:\n${sources.join('\n')}`]),
    `${texts.requestId}: ${answer.request_id}`,
  ].join('\n\n');
}
