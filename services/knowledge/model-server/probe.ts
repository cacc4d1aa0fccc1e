import { createModelGenerator, type ChatModel } from '../../../actors/ask/model/generator.ts';
import { NO_FRAME_CONTEXT } from '../../../kb/answer/templates.ts';
import { verify } from '../../../kb/answer/verify.ts';
import type { ModelReason } from '../../../events/messages/knowledge.ts';
import type { Source } from '../../../kb/source.ts';

/** A very short question with its source, which any usable model can answer. */
export const PROBE_QUESTION = 'Wie viele Werktage beträgt der Urlaub mindestens?';
const source: Source = {
  id: 'PROBE',
  title: 'Mindesturlaub',
  section: '§ 3',
  stand: '2022-01',
  work: 'BUrlG',
  lang: 'de',
  year: null,
  text: 'Der Urlaub beträgt jährlich mindestens 24 Werktage.',
};
/** Room for sources in characters, which is more than the probe's source has. */
const ROOM = 1_000;
const hits = [{ source, score: 1, passages: [{ source, text: source.text, start: 0 }], referenced: false }];

/**
 * Asks a model one small question in the usual way. Resolves with `null` if a statement of its answer is verified,
 * otherwise with the reason why the model is unusable. Rejects as the model does.
 */
export async function probe(chat: Omit<ChatModel, 'note'>, signal: AbortSignal): Promise<ModelReason | null> {
  let noted: ModelReason | null = null;
  const generator = createModelGenerator({
    ...chat,
    name: chat.name,
    ready: true,
    sourceCharacters: ROOM,
    note: (reason) => (noted = reason),
  });
  const draft = await generator.generate(
    { question: PROBE_QUESTION, parts: [], language: 'de', hits, attempt: 0, failures: [], previous: null },
    signal,
  );
  if (draft === null) return noted;
  const context = {
    language: 'de' as const,
    hits,
    exists: (id: string) => id === source.id,
    frames: NO_FRAME_CONTEXT,
  };
  const { failures } = verify(draft, context);
  return failures.length < draft.sentences.length ? null : 'nothing_verified';
}
