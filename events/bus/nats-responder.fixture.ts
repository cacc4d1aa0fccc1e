import { connectNats } from '../nats/connection.ts';
import { openNatsBus } from './nats.ts';

/**
 * A process that serves `echo` (answers), `hang` (never answers), and `slow` (answers after the requested
 * milliseconds). It prints `ready` once the server has its subscriptions.
 */
const [url, beatMs] = process.argv.slice(2);
const connection = await connectNats({ servers: [url!] }, { name: 'responder' });
const bus = openNatsBus(connection, {
  onHandlerError: (error) => {
    throw error;
  },
  version: '1.0.0',
  timing: { beatMs: Number(beatMs) },
});
bus.subscribe('echo', ({ data }) => ({ data }), { queue: 'fixture' });
bus.subscribe('hang', () => new Promise(() => {}), { queue: 'fixture' });
bus.subscribe(
  'slow',
  async ({ data }) => {
    await new Promise((resolve) => setTimeout(resolve, Number(new TextDecoder().decode(data))));
    return { data };
  },
  { queue: 'fixture' },
);
await connection.flush();
await connection.flush();
process.stdout.write('ready\n');
