import type { Logger } from 'pino';
import type { Entailment } from '../../actors/ask/entailment.ts';
import { createExtractiveGenerator } from '../../actors/ask/extractive/generator.ts';
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
import { openModelServer, type ModelServer } from './model-server/chat.ts';
import type { ModelWatch } from './model-server/watch.ts';

/** Who writes answers, and which models have a say in them. */
export interface Models {
  readonly quoting: Generator;
  /** The language model that writes before it; `null`: none. */
  readonly model: Generator | null;
  /** Quoting stands in for a language model that does not answer. */
  readonly fallback: boolean;
  /** Checks statements in other words than their sources'. */
  readonly entailment: Entailment | null;
  /** Orders what was found. */
  readonly reranker: Reranker | null;
  /** Of the language model, where it is on a server. */
  readonly watch: ModelWatch | null;
  /** Whether the language model writes. */
  condition(): ModelCondition;
  /** Ends those that run in this machine. */
  close(): Promise<void>;
}

/** Of who needs no model. */
const READY: ModelCondition = { state: 'ready', since: new Date().toISOString(), reason: null };

/** Without any model: sources are quoted, in the order in which words find them. */
export function noModels(): Models {
  return {
    quoting: createExtractiveGenerator(),
    model: null,
    fallback: true,
    entailment: null,
    reranker: null,
    watch: null,
    condition: () => READY,
    close: () => Promise.resolve(),
  };
}

/** Questions are answered: by every one that is set, or without the language model where that may be. */
export function areReady({ model, fallback, entailment, reranker }: Models): boolean {
  return [fallback ? null : model, entailment, reranker].every((each) => each?.ready ?? true);
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
      const { allowRemoteModels: allowRemote, askBudgetMs: timeoutMs } = settings;
      const opened = await opener({ model, setting, allowRemote, timeoutMs, logger });
      closers.defer(() => opened.close());
      return opened.model;
    };
    const chat = await open(localModel, 'PV_LOCAL_MODEL', openLocalChat);
    const entailment = await open(nliModel, 'PV_NLI_MODEL', openEntailment);
    const reranker = await open(rerankerModel, 'PV_RERANKER_MODEL', openReranker);
    const server = openServer(settings, logger);
    const writing = chat ?? server?.chat ?? null;
    closers.defer(async () => server?.watch.close());
    // In the background: a service starts whatever its model server does.
    void server?.watch.look();
    return {
      quoting: createExtractiveGenerator(),
      model: writing === null ? null : createModelGenerator(writing),
      fallback: settings.modelFallback,
      entailment,
      reranker,
      watch: server?.watch ?? null,
      condition: () => server?.watch.condition() ?? conditionOf(writing),
      close: () => closers.disposeAsync(),
    };
  });
}

/** Of a model in this machine. */
function conditionOf(model: ChatModel | null): ModelCondition {
  return model?.ready === false ? { ...READY, state: 'away', reason: 'server_error' } : READY;
}

function openServer({ modelServer, askBudgetMs }: ModelSettings, logger: Logger): ModelServer | null {
  return modelServer === null ? null : openModelServer({ ...modelServer, probeMs: askBudgetMs, logger });
}
