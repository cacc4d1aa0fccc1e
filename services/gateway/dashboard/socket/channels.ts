import { z } from 'zod';

/** The channels that a client can subscribe to. */
export const CHANNELS = ['metrics', 'orders', 'positions', 'training', 'logs', 'prices'] as const;
export type Channel = (typeof CHANNELS)[number];

/** `all` stands for all channels. */
export const ChannelName = z.enum(['all', ...CHANNELS]);
export type ChannelName = z.output<typeof ChannelName>;

export function channelsOf(name: ChannelName): readonly Channel[] {
  return name === 'all' ? CHANNELS : [name];
}

/** The channels to which a new connection is subscribed. */
export const FIRST_CHANNELS: readonly Channel[] = ['metrics'];
