import { z } from 'zod';

/** What a client can follow. */
export const CHANNELS = ['metrics', 'orders', 'positions', 'training', 'logs', 'prices'] as const;
export type Channel = (typeof CHANNELS)[number];

/** `all` is each of them. */
export const ChannelName = z.enum(['all', ...CHANNELS]);
export type ChannelName = z.output<typeof ChannelName>;

export function channelsOf(name: ChannelName): readonly Channel[] {
  return name === 'all' ? CHANNELS : [name];
}

/** What a connection follows before it says anything. */
export const FIRST_CHANNELS: readonly Channel[] = ['metrics'];
