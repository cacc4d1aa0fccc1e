import type { Logger } from 'pino';
import type { Entailment, Generator } from '../../kb/answer/ports.ts';
import { createExtractiveGenerator } from '../../kb/answer/extractive/generator.ts';
import { createModelGenerator, type ChatModel } from '../../actors/ask/model/generator.ts';
import type { Reranker } from '../../kb/answer/rerank.ts';
import { BelegError } from '../../events/errors.ts';
import type { ModelCondition } from '../../events/messages/knowledge.ts';
import { closingOnFailure } from '../foundation/closers.ts';
import type { AnswerModelSettings } from './settings.ts';
import { Logits, type ModelFacts } from './local-models/messages.ts';
import {
  type Local,
  openModelProcess,
  type ModelProcess,
  type ModelProcessOptions,
  LocalModelInvalid,
} from './local-models/model-process.ts';
import { openModelServer, type ModelServer } from './model-server/chat.ts';
import type { ModelWatch } from './model-server/circuit-breaker.ts';

/** The models that write answers, check statements and rank hits. */
export interface Models {
  readonly quoting: Generator;
  /** The language model, which writes before quoting is tried; `null` if there is none. */
  readonly model: Generator | null;
  /** Whether answers are quoted when the language model does not answer. */
  readonly fallback: boolean;
  /** Checks statements that are worded differently from their sources. */
  readonly entailment: Entailment | null;
  /** Orders the search results. */
  readonly reranker: Reranker | null;
  /** The watch of a language model on a server. */
  readonly watch: ModelWatch | null;
  /** The condition of the language model. */
  condition(): ModelCondition;
  /** Ends the models that run on this machine. */
  close(): Promise<void>;
}

/** The condition that is reported if there is no language model. */
const READY: ModelCondition = { state: 'ready', since: new Date().toISOString(), reason: null };

/** Whether questions can be answered: every model is ready, or the language model is not needed. */
export function areReady({ model, fallback, entailment, reranker }: Models): boolean {
  return [fallback ? null : model, entailment, reranker].every((each) => each?.ready ?? true);
}

/**
 * Opens the models of the settings and loads those of this machine. If one of them fails, all are closed.
 *
 * @throws {LocalModelInvalid} with the setting that names the model.
 */
export async function openModels(settings: AnswerModelSettings, logger: Logger): Promise<Models> {
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
    // Runs in the background, because a service starts whether or not its model server answers.
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

/** The condition of a model that runs on this machine. */
function conditionOf(model: ChatModel | null): ModelCondition {
  return model?.ready === false ? { ...READY, state: 'away', reason: 'server_error' } : READY;
}

function openServer({ modelServer, askBudgetMs }: AnswerModelSettings, logger: Logger): ModelServer | null {
  return modelServer === null ? null : openModelServer({ ...modelServer, probeMs: askBudgetMs, logger });
}

/** The most characters of sources for a model on this machine, which needs time for every thousand characters. */
const SOURCE_CHARACTERS = 8_000;

type LocalOptions = Omit<ModelProcessOptions, 'task'>;

/** Opens a model of this machine and wraps it by `use`, which throws if the model has the wrong kind. */
async function openLocal<Use extends object>(
  options: ModelProcessOptions,
  use: (facts: ModelFacts, run: ModelProcess['run']) => Use,
): Promise<Local<Use & { readonly name: string; readonly ready: boolean }>> {
  const process = await openModelProcess(options);
  const { facts, run, close } = process;
  try {
    const model = {
      ...use(facts, run),
      name: facts.name,
      get ready() {
        return process.ready;
      },
    };
    return { model, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens a language model from a folder in the format of transformers.js.
 *
 * @throws {LocalModelInvalid} if it cannot be used.
 */
export function openLocalChat(options: LocalOptions): Promise<Local<ChatModel>> {
  return openLocal({ ...options, task: 'generation' }, (_, run) => ({
    sourceCharacters: SOURCE_CHARACTERS,
    // The model is not bound to a schema. The prompt describes the form in words.
    complete: async ({ system, user }, signal) => ({
      text: String(await run({ system, user }, signal)),
      isCut: false,
    }),
    note: () => undefined,
  }));
}

/**
 * Opens a cross-encoder from a folder. It scores how well a text answers a question, by one number or by the second of
 * two.
 *
 * @throws {LocalModelInvalid} if it cannot be used.
 */
export function openReranker(options: LocalOptions): Promise<Local<Reranker>> {
  return openLocal({ ...options, task: 'pairs' }, ({ labels: { length } }, run) => {
    if (length !== 1 && length !== 2) {
      const reason = `it has ${length} labels, but a reranker must have one or two`;
      throw new LocalModelInvalid(options.setting, reason);
    }
    return {
      async score(question, texts, signal) {
        // A long text is cut, because its beginning is enough for ranking.
        const input = { pairs: texts.map((text) => [question, text]), whole: false };
        const logits = readLogits(await run(input, signal), texts.length, length);
        // Of two labels the first means that the text does not answer.
        return logits.map((row) =>
          row === null ? Number.NEGATIVE_INFINITY : row.at(-1)! - (row.length === 2 ? row[0]! : 0),
        );
      },
    };
  });
}

/**
 * Opens a cross-encoder for natural language inference from a folder. One of its labels must be `entailment`; all
 * others count as not entailed.
 *
 * @throws {LocalModelInvalid} if it cannot be used.
 */
export function openEntailment(options: LocalOptions): Promise<Local<Entailment>> {
  return openLocal({ ...options, task: 'pairs' }, ({ labels }, run) => {
    const label = labels.findIndex((name) => /^entail/iu.test(name));
    if (label === -1 || labels.length < 2) {
      const reason = 'it needs a label `entailment` and at least one other label';
      throw new LocalModelInvalid(options.setting, reason);
    }
    return {
      async entails(pairs, signal) {
        const input = { pairs: pairs.map(({ premise, hypothesis }) => [premise, hypothesis]), whole: true };
        const logits = readLogits(await run(input, signal), pairs.length, labels.length);
        return logits.map((row) => (row === null ? null : softmax(row)[label]!));
      },
    };
  });
}

/**
 * The numbers for the labels of each pair, or `null`. Any other output is an error, because no verdict may depend on
 * it.
 */
export function readLogits(output: unknown, pairs: number, labels: number): Logits {
  const logits = Logits.safeParse(output);
  if (
    !logits.success ||
    logits.data.length !== pairs ||
    logits.data.some((row) => (row?.length ?? labels) !== labels)
  ) {
    throw new BelegError('MODEL_UNAVAILABLE', {
      detail: 'The output of the model does not have the expected form',
    });
  }
  return logits.data;
}

function softmax(row: readonly number[]): number[] {
  const top = Math.max(...row);
  const powers = row.map((value) => Math.exp(value - top));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
