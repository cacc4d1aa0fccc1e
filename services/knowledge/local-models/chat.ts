import type { ChatModel } from '../../../actors/ask/model/generator.ts';
import { ModelProcess, type Local, type ModelProcessOptions } from './process.ts';

/** Where this machine computes, every thousand characters of a prompt take time. */
const SOURCE_CHARACTERS = 8_000;

/**
 * A language model from a folder, as transformers.js loads it.
 *
 * @throws LocalModelInvalid
 */
export async function openLocalChat(options: Omit<ModelProcessOptions, 'task'>): Promise<Local<ChatModel>> {
  const { process, facts } = await ModelProcess.open({ ...options, task: 'generation' });
  return {
    model: {
      name: facts.name,
      sourceCharacters: SOURCE_CHARACTERS,
      get ready() {
        return process.ready;
      },
      // It is held to no schema; the prompt says in words what is asked for.
      complete: async ({ system, user }, signal) => ({
        text: String(await process.run({ system, user }, signal)),
        isCut: false,
      }),
      note: () => undefined,
    },
    close: () => process.close(),
  };
}
