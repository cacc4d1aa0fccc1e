import { z } from 'zod';
import { Flag, whole } from './config-fields.ts';

/** Which models find, write, order and check; all of them are left out where nothing is set. */
export interface ModelSettings {
  /** Local folder of the embedding model, or its hub name where remote models are allowed; `null`: lexical only. */
  readonly embeddingModel: string | null;
  readonly allowRemoteModels: boolean;
  /** The server of the language model that writes answers; `null`: none. */
  readonly modelServer: {
    readonly url: string;
    readonly name: string;
    readonly key: string | null;
    /** Tokens of its context; `null`: as it tells. */
    readonly context: number | null;
  } | null;
  /** Folder (or hub name) of the language model that writes answers in this machine; `null`: none. */
  readonly localModel: string | null;
  /** Quoting stands in for a language model that does not answer. */
  readonly modelFallback: boolean;
  /** Of a model of natural language inference that checks statements in other words than their sources'. */
  readonly nliModel: string | null;
  /** Of a cross-encoder that orders what was found. */
  readonly rerankerModel: string | null;
  /** Milliseconds from its arrival within which an ask is answered, whatever any of them does. */
  readonly askBudgetMs: number;
}

/** Where an OpenAI-compatible server answers; keys have a variable of their own. */
const ModelUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL like http://127.0.0.1:11434/v1' })
  .refine((url) => new URL(url).username === '' && new URL(url).password === '', {
    message: 'must have no user or password: a key goes into PV_MODEL_KEY',
  });

export const ModelVariables = {
  PV_EMBEDDING_MODEL: z
    .string()
    .optional()
    .describe('embedding model: a local folder, or a hub name where `PV_ALLOW_REMOTE_MODELS` is on'),
  PV_ALLOW_REMOTE_MODELS: Flag.describe('models may be loaded from a hub'),
  PV_MODEL_URL: ModelUrl.optional().describe(
    'OpenAI-compatible server of a language model that writes answers; without one, answers quote',
  ),
  PV_MODEL_NAME: z.string().optional().describe('name that the server knows the model by'),
  PV_MODEL_KEY: z.string().optional().describe('key of the server'),
  PV_MODEL_CONTEXT: whole(2_048, 10_000_000, 0).meta({
    description: 'tokens that one request may have, with its reply',
    default: 'what the server says, else 4096',
  }),
  PV_MODEL_FALLBACK: z
    .enum(['none', 'extractive'], 'must be none or extractive')
    .default('extractive')
    .describe('`extractive`: quote while the model server is away; `none`: answer 503'),
  PV_ASK_SECONDS: whole(1, 110, 20).describe(
    'every question is answered within this time, whatever the model server does',
  ),
  PV_LOCAL_MODEL: z
    .string()
    .optional()
    .describe('language model in this process instead of a server: a folder, or a hub name'),
  PV_NLI_MODEL: z
    .string()
    .optional()
    .describe(
      'model of natural language inference: a statement that is not a whole quotation must follow from its source',
    ),
  PV_RERANKER_MODEL: z.string().optional().describe('cross-encoder that orders the best 32 passages found'),
};

type Variables = z.output<z.ZodObject<typeof ModelVariables>>;

export function readModelSettings(variables: Variables): ModelSettings {
  const { PV_MODEL_CONTEXT: context } = variables;
  const { PV_MODEL_URL: url, PV_MODEL_NAME: name, PV_MODEL_KEY: key } = variables;
  return {
    embeddingModel: variables.PV_EMBEDDING_MODEL ?? null,
    allowRemoteModels: variables.PV_ALLOW_REMOTE_MODELS,
    modelServer:
      url === undefined || name === undefined
        ? null
        : { url, name, key: key ?? null, context: context === 0 ? null : context },
    localModel: variables.PV_LOCAL_MODEL ?? null,
    modelFallback: variables.PV_MODEL_FALLBACK === 'extractive',
    nliModel: variables.PV_NLI_MODEL ?? null,
    rerankerModel: variables.PV_RERANKER_MODEL ?? null,
    askBudgetMs: variables.PV_ASK_SECONDS * 1_000,
  };
}

/** Faults that take more than one variable to see. */
export function modelFaults(env: Readonly<Record<string, string>>): string[] {
  const faults: string[] = [];
  if (env['PV_MODEL_URL'] !== undefined && env['PV_MODEL_NAME'] === undefined) {
    faults.push('PV_MODEL_NAME: needed with PV_MODEL_URL, the name that the server knows the model by');
  }
  if (env['PV_MODEL_URL'] !== undefined && env['PV_LOCAL_MODEL'] !== undefined) {
    faults.push(
      'PV_LOCAL_MODEL: set together with PV_MODEL_URL; one language model writes the answers, on a server or in this machine',
    );
  }
  return faults;
}
