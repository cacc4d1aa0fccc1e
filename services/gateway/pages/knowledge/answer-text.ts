import type { AskResponse, SourceReference } from '../../../../events/messages/knowledge.ts';
import { lawAsOf, reservationsOf } from './state.ts';
import { monthOf, texts } from './texts.ts';

/** How far the answer can be relied on: the gravest reservation in a few words, then a sentence on each. */
export function bannerOf(answer: AskResponse): { title: string; note: string } {
  const reservations = reservationsOf(answer);
  const notes = reservations.map((state) =>
    state === 'dated' ? texts.datedNote(monthOf(lawAsOf(answer))) : texts[`${state}Note`],
  );
  return { title: texts[reservations[0] ?? 'verified'], note: notes.join(' ') || texts.verifiedNote };
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
