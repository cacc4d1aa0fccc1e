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
    message: 'must not contain a user or password: put the key into PV_MODEL_KEY',
  });

export const ModelVariables = {
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
  PV_MODEL_KEY: z.string().optional().describe('API key of that server'),
  PV_MODEL_CONTEXT: whole(2_048, 10_000_000, 0).meta({
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
    faults.push('PV_MODEL_NAME: required if PV_MODEL_URL is set; it is the name of the model on that server');
  }
  if (env['PV_MODEL_URL'] !== undefined && env['PV_LOCAL_MODEL'] !== undefined) {
    faults.push(
      'PV_LOCAL_MODEL: cannot be combined with PV_MODEL_URL; choose a model server or a local model',
    );
  }
  return faults;
}
