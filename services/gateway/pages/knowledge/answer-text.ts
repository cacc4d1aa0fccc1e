import type { AskResponse, SourceReference } from '../../../../events/messages/knowledge.ts';
import { lawAsOf, stateOf } from './state.ts';
import { monthOf, texts } from './texts.ts';

/** How far the answer can be relied on, in a few words and in a sentence. */
export function bannerOf(answer: AskResponse): { title: string; note: string } {
  const state = stateOf(answer);
  const note = state === 'dated' ? texts.datedNote(monthOf(lawAsOf(answer))) : texts[`${state}Note`];
  return { title: texts[state], note };
}

/** Where a source is to be found, and of when. */
export function placeOf({ work, section, stand }: SourceReference): string {
  return [work, section, `${texts.stand} ${monthOf(stand)}`].filter((part) => part !== '').join(' · ');
}

/** All that a reader elsewhere needs: question, answer, how far to rely on it, and its sources. */
export function textOf(answer: AskResponse): string {
  const { title, note } = bannerOf(answer);
  const sources = answer.sources.map((source) => `[${source.id}] ${source.title} (${placeOf(source)})`);
  return [
    answer.question,
    answer.answer,
    `${title} – ${note}`,
    ...(sources.length === 0 ? [] : [`${texts.sources}:\n${sources.join('\n')}`]),
    `${texts.requestId}: ${answer.request_id}`,
  ].join('\n\n');
}
