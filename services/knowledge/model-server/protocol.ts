import { connect as connectTls } from 'node:tls';
import { once } from 'node:events';
import { z } from 'zod';

const ASK_MS = 3_000;

/**
 * Whether a host that does not answer uses the other one of http and https. Most servers do not answer a client that
 * speaks the wrong protocol.
 */
export async function otherProtocolAnswers(address: string): Promise<boolean> {
  const url = new URL(address);
  if (url.protocol === 'https:') {
    const plain = new URL(url);
    plain.protocol = 'http:';
    plain.port = url.port === '' ? '443' : url.port;
    return fetch(plain, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(ASK_MS) }).then(
      () => true,
      () => false,
    );
  }
  // The certificate does not matter here.
  const socket = connectTls({
    host: url.hostname.replace(/^\[|\]$/gu, ''),
    port: Number(url.port === '' ? 80 : url.port),
    rejectUnauthorized: false,
    timeout: ASK_MS,
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ASK_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A reply may have other types than the client library declares. */
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
