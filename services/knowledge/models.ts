import type { Logger } from 'pino';
import type { Entailment } from '../../actors/ask/entailment.ts';
import { createExtractiveGenerator } from '../../actors/ask/extractive/generator.ts';
import { withFallback } from '../../actors/ask/fallback.ts';
import { createModelGenerator, type ChatModel } from '../../actors/ask/model/generator.ts';
import type { Generator } from '../../actors/ask/ports.ts';
import type { Reranker } from '../../actors/ask/rerank.ts';
import type { ModelCondition } from '../../events/messages/knowledge.ts';
import { closingOnFailure } from '../closers.ts';
import type { ModelSettings } from '../config-models.ts';
import { openLocalChat } from './local-models/chat.ts';
import { openEntailment } from './local-models/entailment.ts';
import type { Local } from './local-models/process.ts';
import { openReranker } from './local-models/reranker.ts';
import { openChatModel } from './model-server/chat.ts';

/** Who writes answers, and which models have a say in them. */
export interface Models {
  readonly generator: Generator;
  /** Checks statements in other words than their sources'. */
  readonly entailment: Entailment | null;
  /** Orders what was found. */
  readonly reranker: Reranker | null;
  /** Whether the generator's model writes. */
  condition(): ModelCondition;
  /** Ends those that run in this machine. */
  close(): Promise<void>;
}

/** Of who needs no model. */
const READY: ModelCondition = { state: 'ready', since: new Date().toISOString(), reason: null };

/** Without any model: sources are quoted, in the order in which words find them. */
export function noModels(): Models {
  return {
    generator: createExtractiveGenerator(),
    entailment: null,
    reranker: null,
    condition: () => READY,
    close: () => Promise.resolve(),
  };
}

/** Every one that is set answers. */
export function areReady({ generator, entailment, reranker }: Models): boolean {
  return [generator, entailment, reranker].every((model) => model?.ready ?? true);
}

/**
 * The models of the settings, those of this machine loaded. Nothing stays open where one of them cannot be.
 *
 * @throws LocalModelInvalid with the setting that names it
 */
export async function openModels(settings: ModelSettings, logger: Logger): Promise<Models> {
  const { localModel, nliModel, rerankerModel } = settings;
  return closingOnFailure(async (closers) => {
    const open = async <Model>(
      model: string | null,
      setting: string,
      opener: (options: Parameters<typeof openEntailment>[0]) => Promise<Local<Model>>,
    ): Promise<Model | null> => {
      if (model === null) return null;
      const { allowRemoteModels: allowRemote, modelTimeoutMs: timeoutMs } = settings;
      const opened = await opener({ model, setting, allowRemote, timeoutMs, logger });
      closers.defer(() => opened.close());
      return opened.model;
    };
    const chat = await open(localModel, 'PV_LOCAL_MODEL', openLocalChat);
    const entailment = await open(nliModel, 'PV_NLI_MODEL', openEntailment);
    const reranker = await open(rerankerModel, 'PV_RERANKER_MODEL', openReranker);
    const generator = generatorOf(chat ?? onServer(settings, logger), settings);
    return { generator, entailment, reranker, condition: () => READY, close: () => closers.disposeAsync() };
  });
}

function onServer({ modelServer, modelTimeoutMs }: ModelSettings, logger: Logger): ChatModel | null {
  return modelServer === null ? null : openChatModel({ ...modelServer, timeoutMs: modelTimeoutMs, logger });
}

function generatorOf(chat: ChatModel | null, { modelFallback }: ModelSettings): Generator {
  const extractive = createExtractiveGenerator();
  if (chat === null) return extractive;
  const generator = createModelGenerator(chat);
  return modelFallback ? withFallback(generator, extractive) : generator;
}
