import { z } from 'zod';

const Tokens = z.int().positive();

/** llama.cpp reports the size of the context for one request. */
const Props = z.looseObject({ default_generation_settings: z.looseObject({ n_ctx: Tokens }) });

/** The fields of other servers: vLLM has `max_model_len`, several hosted servers `context_length`. */
const Models = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string(),
      max_model_len: Tokens.optional().catch(undefined),
      context_length: Tokens.optional().catch(undefined),
    }),
  ),
});

const ASK_MS = 3_000;

/** The context size in tokens that a server reports; `null` if none, `silent` without an answer. Never rejects. */
export async function askContext(
  { url, name, key }: { url: string; name: string; key: string | null },
  signal: AbortSignal,
): Promise<number | null | 'silent'> {
  const get = async (address: URL): Promise<unknown> => {
    const response = await fetch(address, {
      headers: key === null ? {} : { authorization: `Bearer ${key}` },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)]),
    });
    return response.ok ? response.json().catch(() => null) : null;
  };
  const base = url.endsWith('/') ? url : `${url}/`;
  const [props, models] = await Promise.allSettled([
    get(new URL(base.replace(/\/v1\/$/u, '/') + 'props')),
    get(new URL(`${base}models`)),
  ]);
  if (props.status === 'rejected' && models.status === 'rejected') return 'silent';
  if (props.status === 'fulfilled') {
    const told = Props.safeParse(props.value).data?.default_generation_settings.n_ctx;
    if (told !== undefined) return told;
  }
  if (models.status === 'rejected') return null;
  const all = Models.safeParse(models.value).data?.data ?? [];
  const model = all.find(({ id }) => id === name) ?? (all.length === 1 ? all[0] : undefined);
  return model?.max_model_len ?? model?.context_length ?? null;
}

/** The context size if the server reports none; most servers have at least this. */
export const SMALLEST_CONTEXT = 4_096;
const MAX_REPLY_TOKENS = 2_000;
/** Tokens for the rules, the question, and the framing of each source. */
const PROMPT_TOKENS = 1_100;
/** The number of characters of a token. It is a low estimate for German in the vocabularies of the common models. */
const CHARACTERS_PER_TOKEN = 3;
/** The most characters of sources. More passages would cost time and money without improving answers. */
const MAX_SOURCE_CHARACTERS = 60_000;

/** Divides a context between the reply (in tokens) and the sources (in characters). */
export function divide(context: number): { replyTokens: number; sourceCharacters: number } {
  const replyTokens = Math.min(MAX_REPLY_TOKENS, Math.floor(context / 3));
  const characters = (context - replyTokens - PROMPT_TOKENS) * CHARACTERS_PER_TOKEN;
  return { replyTokens, sourceCharacters: Math.max(0, Math.min(MAX_SOURCE_CHARACTERS, characters)) };
}
