import { randomUUID } from 'node:crypto';
import { JSON_CONTENT, type Database } from './database.ts';
import type { ProposedEvent } from './stored-event.ts';

/**
 * Writes events that a real server writes itself, users and statistics, so that a client that does not filter `$all`
 * notices them. There is one statistics event at every start; the users and the metadata are in a new file only.
 */
export async function writeSystemEvents(database: Database, port: number): Promise<void> {
  const stats = `$stats-127.0.0.1:${port}`;
  if (database.head === 0) {
    await database.append('$users', 'no_stream', [system('$User', 'admin')]);
    await database.append('$user-admin', 'no_stream', [
      system('$UserCreated', { loginName: 'admin', disabled: false }),
    ]);
    await database.append(`$$${stats}`, 'any', [system('$metadata', { $maxAge: 86_400 })]);
  }
  await database.append(stats, 'any', [system('$statsCollected', { 'proc-id': process.pid })]);
}

function system(type: string, data: unknown): ProposedEvent {
  return {
    id: randomUUID(),
    type,
    contentType: JSON_CONTENT,
    data: Buffer.from(JSON.stringify(data)),
    metadata: new Uint8Array(),
  };
}
