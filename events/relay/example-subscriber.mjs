import { connect } from 'nats';

const connection = await connect({ servers: process.env.NATS_URL });
// Reads from the first message on. To read from a certain time: { opt_start_time: '2026-01-01T00:00:00Z' }.
const consumer = await connection.jetstream().consumers.get('BELEG_EVENTS', {});
const messages = await consumer.consume();
process.once('SIGINT', () => messages.stop());
for await (const message of messages) process.stdout.write(`${message.string()}\n`);
await connection.close();
