import { parseJson } from '../../http/json-text.ts';
import { z } from 'zod';
import { ChannelName } from './channels.ts';
import type { SocketErrorCode } from './errors.ts';

/** The messages of clients. Unknown fields are allowed and ignored. */
export const ClientMessage = z
  .discriminatedUnion('action', [
    z.object({ action: z.literal('auth'), key: z.string() }),
    z.object({ action: z.literal('ping') }),
    z.object({ action: z.literal('subscribe'), channel: ChannelName }),
    z.object({ action: z.literal('unsubscribe'), channel: ChannelName }),
  ])
  .describe('Messages that a client can send to `/ws`, one per text frame.');
export type ClientMessage = z.output<typeof ClientMessage>;

/** Reads a message from the text of a frame, or returns the code of its error. */
export function readMessage(text: string): ClientMessage | SocketErrorCode {
  let json: unknown;
  try {
    json = parseJson(text);
  } catch {
    return 'INVALID_MESSAGE';
  }
  const parsed = ClientMessage.safeParse(json);
  if (parsed.success) return parsed.data;
  return namesChannel(json) ? 'UNKNOWN_CHANNEL' : 'INVALID_MESSAGE';
}

/** Whether the only error of the message is the name of the channel. */
function namesChannel(json: unknown): boolean {
  return z.object({ action: z.enum(['subscribe', 'unsubscribe']), channel: z.string() }).safeParse(json)
    .success;
}
