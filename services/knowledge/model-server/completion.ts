import { z } from 'zod';

/** What a server sends is not always of the type that the client declares. */
export const ChatCompletion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish().catch(null),
        message: z.looseObject({
          content: z.string().nullish().catch(null),
          reasoning_content: z.string().nullish().catch(null),
          reasoning: z.string().nullish().catch(null),
        }),
      }),
    )
    .min(1)
    .catch([{ message: {} }]),
  usage: z
    .looseObject({ prompt_tokens: z.number().catch(0), completion_tokens: z.number().catch(0) })
    .nullish()
    .catch(null),
});
