import { parseJson } from '../../http/json-text.ts';
import { z } from 'zod';
import { ChannelName } from './channels.ts';
import type { SocketErrorCode } from './errors.ts';

/** What a client may say. Further fields are let through, unread. */
export const ClientMessage = z
  .discriminatedUnion('action', [
    z.object({ action: z.literal('auth'), key: z.string() }),
    z.object({ action: z.literal('ping') }),
    z.object({ action: z.literal('subscribe'), channel: ChannelName }),
    z.object({ action: z.literal('unsubscribe'), channel: ChannelName }),
  ])
  .describe('Messages that a client can send to `/ws`, one per text frame.');
export type ClientMessage = z.output<typeof ClientMessage>;

/** Larger messages end the connection (1009): nothing a client may say is nearly as long. */
export const MAX_CLIENT_MESSAGE_BYTES = 4 * 1024;

/** A frame's text as a message, or the code of what is wrong with it. */
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

/** Whether only the channel's name is wrong. */
function namesChannel(json: unknown): boolean {
  return z.object({ action: z.enum(['subscribe', 'unsubscribe']), channel: z.string() }).safeParse(json)
    .success;
}
