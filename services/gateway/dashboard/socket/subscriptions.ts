import { CHANNELS, type Channel } from './channels.ts';
import type { Client } from './client.ts';
import type { Prepared } from './prepared-push.ts';

/** The subscribers of each channel. */
export class Hub {
  readonly #followers = new Map<Channel, Set<Client>>(CHANNELS.map((channel) => [channel, new Set()]));
  readonly #greeters = new Map<Channel, (client: Client) => void>();

  /**
   * Calls `greeter` with each client that subscribes, also with one that is subscribed already: it wants the present
   * state again.
   */
  greet(channel: Channel, greeter: (client: Client) => void): void {
    this.#greeters.set(channel, greeter);
  }

  follow(client: Client, channel: Channel): void {
    this.#followers.get(channel)!.add(client);
    this.#greeters.get(channel)?.(client);
  }

  leave(client: Client, channel: Channel): void {
    this.#followers.get(channel)!.delete(client);
  }

  followers(channel: Channel): ReadonlySet<Client> {
    return this.#followers.get(channel)!;
  }

  push(channel: Channel, push: Prepared): void {
    for (const client of this.#followers.get(channel)!) client.push(push);
  }
}
