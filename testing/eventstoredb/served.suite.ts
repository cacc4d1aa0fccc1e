import { startServer, type ServerProcess } from './server-process.suite.ts';
import { spawnStandIn } from './stand-in/process.suite.ts';
import { startStandIn } from './stand-in/server.ts';

/** True when the suites run against EventStoreDB itself (see `vitest.config.ts`). */
export const onServer = process.env['EVENTSTORE_TESTS'] === 'server';

/** An EventStoreDB with an empty record: the stand-in with this file, or the real server. */
export async function startEventStore({
  file,
}: {
  file: string;
}): Promise<{ readonly url: string; close(): Promise<void> }> {
  if (!onServer) return startStandIn({ file });
  const server = await startServer(['--mem-db']);
  return { url: server.url, close: () => server.remove() };
}

/** The same in a process of its own, which can be killed. */
export function spawnEventStore({ file }: { file: string }): Promise<ServerProcess> {
  return onServer ? startServer() : spawnStandIn({ file });
}
