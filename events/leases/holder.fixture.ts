import { connect } from 'nats';
import { openNatsLeases } from './nats.ts';

/** A process that competes for a lease, and prints when it gets the lease and when it loses it. */
const [url, name] = process.argv.slice(2) as [string, string];
const connection = await connect({ servers: url, reconnectTimeWait: 50 });
const leases = await openNatsLeases(connection, {
  holder: 'child',
  onWorkError: (error) => {
    throw error;
  },
  retryMs: 10,
});
await leases.run(
  name,
  async (held) => {
    process.stdout.write('held\n');
    await new Promise((resolve) => held.addEventListener('abort', resolve));
    process.stdout.write('lost\n');
  },
  new AbortController().signal,
);
