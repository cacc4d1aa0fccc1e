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
  PV_EMBEDDING_MODEL: z.string().optional(),
  PV_ALLOW_REMOTE_MODELS: Flag,
  PV_MODEL_URL: ModelUrl.optional(),
  PV_MODEL_NAME: z.string().optional(),
  PV_MODEL_KEY: z.string().optional(),
  PV_MODEL_CONTEXT: whole(2_048, 10_000_000, 0),
  PV_MODEL_FALLBACK: z.enum(['none', 'extractive'], 'must be none or extractive').default('extractive'),
  PV_ASK_SECONDS: whole(1, 110, 20),
  PV_LOCAL_MODEL: z.string().optional(),
  PV_NLI_MODEL: z.string().optional(),
  PV_RERANKER_MODEL: z.string().optional(),
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
