import { join, resolve } from 'node:path';
import { z } from 'zod';
import { Flag, OnFlag, secret, whole, wholeOrNull } from '../foundation/settings-fields.ts';

/** The starter base that comes with the project. */
export const STARTER_BASE = join(import.meta.dirname, '..', '..', 'kb', 'corpus');

/** The settings of the knowledge base, and the limits for asks. */
export const KnowledgeVariables = {
  PV_KB_PATH: z
    .string()
    .optional()
    .meta({ description: 'folder of the knowledge base', default: 'the starter base' }),
  PV_KB_WATCH: OnFlag.describe(
    'take in what changes in that folder by itself; `false`: only when a reindex is asked for',
  ),
  PV_REVIEW_MODE: Flag.describe('allow review mode (`mode: "review"`)'),
  PV_MAX_CONCURRENT_ASKS: whole(1, 1024, 4).describe('questions answered at the same time'),
  PV_MAX_QUEUED_ASKS: whole(0, 100_000, 64).describe(
    'questions that may wait; more get 503 `OVERLOADED` with `Retry-After`',
  ),
};

export type KnowledgeSettings = ReturnType<typeof readKnowledgeSettings>;

export function readKnowledgeSettings(variables: z.output<z.ZodObject<typeof KnowledgeVariables>>) {
  return {
    reviewMode: variables.PV_REVIEW_MODE,
    watch: variables.PV_KB_WATCH,
    kbPath: resolve(variables.PV_KB_PATH ?? STARTER_BASE),
    maxConcurrentAsks: variables.PV_MAX_CONCURRENT_ASKS,
    maxQueuedAsks: variables.PV_MAX_QUEUED_ASKS,
  };
}

/** The models that search, write, rank and check; there are none without settings. */
export type AnswerModelSettings = ReturnType<typeof readAnswerModelSettings>;

/** The address of an OpenAI-compatible server. Keys have a setting of their own. */
const ModelUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL like http://127.0.0.1:11434/v1', abort: true })
  .refine((url) => new URL(url).username === '' && new URL(url).password === '', {
    message: 'must not contain a user or password: put the key into PV_MODEL_KEY',
  });

export const AnswerModelVariables = {
  PV_EMBEDDING_MODEL: z
    .string()
    .optional()
    .describe(
      'embedding model: a local folder, or a name on the model hub if `PV_ALLOW_REMOTE_MODELS` is `true`',
    ),
  PV_ALLOW_REMOTE_MODELS: Flag.describe('allow models to be downloaded from the model hub'),
  PV_MODEL_URL: ModelUrl.optional().describe(
    'OpenAI-compatible server with the language model that writes answers; if not set, answers consist of quotes',
  ),
  PV_MODEL_NAME: z.string().optional().describe('name of the model on that server'),
  PV_MODEL_KEY: secret(z.string().optional(), 'API key of that server'),
  PV_MODEL_CONTEXT: wholeOrNull(2_048, 10_000_000).meta({
    description: 'context length of the model: tokens of a request and its reply together',
    default: 'as reported by the server, or 4096',
  }),
  PV_MODEL_FALLBACK: z
    .enum(['none', 'extractive'], 'must be none or extractive')
    .default('extractive')
    .describe(
      'what to do while the model server is not available: `extractive`: answer with quotes; `none`: answer 503',
    ),
  PV_ASK_SECONDS: whole(1, 110, 20).describe(
    'seconds within which every question is answered, even if the model server is slow',
  ),
  PV_LOCAL_MODEL: z
    .string()
    .optional()
    .describe(
      'language model that runs on this machine instead of a server: a folder, or a name on the model hub',
    ),
  PV_NLI_MODEL: z
    .string()
    .optional()
    .describe(
      'model (natural language inference) that checks whether a statement follows from its source, if it is not an exact quote',
    ),
  PV_RERANKER_MODEL: z.string().optional().describe('cross-encoder that ranks the best 32 passages found'),
};

export function readAnswerModelSettings(variables: z.output<z.ZodObject<typeof AnswerModelVariables>>) {
  const { PV_MODEL_URL: url, PV_MODEL_NAME: name, PV_MODEL_KEY: key, PV_MODEL_CONTEXT: context } = variables;
  return {
    /** The folder of the embedding model, or its hub name if remote models are allowed; `null`: lexical search only. */
    embeddingModel: variables.PV_EMBEDDING_MODEL ?? null,
    allowRemoteModels: variables.PV_ALLOW_REMOTE_MODELS,
    /**
     * The server of the model that writes answers, with the size of its context (`null` for the reported size); `null`
     * if there is none.
     */
    modelServer: url === undefined || name === undefined ? null : { url, name, key: key ?? null, context },
    /** The folder or hub name of the language model that writes answers on this machine; `null` if none. */
    localModel: variables.PV_LOCAL_MODEL ?? null,
    /** Whether answers are quoted when the language model does not answer. */
    modelFallback: variables.PV_MODEL_FALLBACK === 'extractive',
    /**
     * The folder of a model of natural language inference, which checks statements that are worded differently from
     * their sources.
     */
    nliModel: variables.PV_NLI_MODEL ?? null,
    /** The folder of a cross-encoder that orders the search results. */
    rerankerModel: variables.PV_RERANKER_MODEL ?? null,
    /** Milliseconds after its arrival within which an ask is answered, however slow the models are. */
    askBudgetMs: variables.PV_ASK_SECONDS * 1_000,
  };
}

/** Faults in how variables are combined. */
export function answerModelFaults(env: Readonly<Record<string, string>>): string[] {
  const faults: string[] = [];
  if (env['PV_MODEL_URL'] !== undefined && env['PV_MODEL_NAME'] === undefined) {
    faults.push('PV_MODEL_NAME: required if PV_MODEL_URL is set; it is the name of the model on that server');
  }
  if (env['PV_MODEL_URL'] !== undefined && env['PV_LOCAL_MODEL'] !== undefined) {
    faults.push(
      'PV_LOCAL_MODEL: cannot be combined with PV_MODEL_URL; choose a model server or a local model',
    );
  }
  return faults;
}
