import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Erase, ListInteractions, ShowInteraction } from '../../../events/messages/audit.ts';
import { call } from '../../../events/messages/define.ts';
import { QUESTION, Workspace, type Started } from '../../../testing/processes/application.suite.ts';
import { readSettings } from '../../composition/settings.ts';
import { openRecord } from '../../composition/runtime.ts';

const WORDS = ['Geheimfrage', 'Geheimnote', 'Geheimwort'];
const CALL = { correlationId: 'operator', callId: 'operator' };

test('keys and tables of an older backup bring back nothing that was erased since', async () => {
  const workspace = await Workspace.create();
  const run = async <T>(work: (started: Started) => Promise<T>): Promise<T> => {
    const started = await workspace.start();
    try {
      return await work(started);
    } finally {
      await started.application.close();
    }
  };
  const backup = join(workspace.folder, 'backup');
  const putBack = (...names: string[]): void => {
    for (const name of names) {
      for (const beside of ['-wal', '-shm'])
        rmSync(join(workspace.data, `${name}${beside}`), { force: true });
      cpSync(join(backup, name), join(workspace.data, name));
    }
  };
  const shown = async (): Promise<string> => {
    const record = await openRecord(readSettings(workspace.environment()));
    const events = [];
    for await (const event of record.store.readAll()) events.push(await record.codec.decode(event));
    await record[Symbol.asyncDispose]();
    return JSON.stringify(events);
  };
  try {
    await run(async ({ client }) => {
      await client.ask(`${QUESTION} Geheimfrage`, 'r-1');
      await client.rate('r-1', 'up', 'Geheimnote');
      await client.comment('r-1', 'Geheimwort');
    });
    cpSync(workspace.data, backup, { recursive: true });
    for (const word of WORDS) expect(await shown()).toContain(word);
    await run(({ application }) =>
      call(application.runtime.bus, Erase, { request_id: 'r-1', reason: 'consent withdrawn' }, CALL),
    );

    putBack('keys.db');
    for (const word of WORDS) expect(await shown()).not.toContain(word);
    putBack('keys.db', 'audit.db');
    await run(async ({ application: { runtime }, client }) => {
      const told = JSON.stringify([
        await call(runtime.bus, ListInteractions, {}, CALL),
        await call(runtime.bus, ShowInteraction, { request_id: 'r-1' }, CALL),
      ]);
      for (const word of WORDS) expect(told).not.toContain(word);
      expect(await client.rate('r-1', 'down', 'Geheimnote')).toMatchObject({ status: 410 });
    });
    putBack('audit.db');
    await run(({ application }) =>
      call(application.runtime.bus, Erase, { request_id: 'r-1', reason: 'once more' }, CALL),
    );
    const files = readdirSync(workspace.data, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    for (const word of WORDS) {
      expect(files.filter((name) => readFileSync(join(workspace.data, name)).includes(word))).toEqual([]);
    }
  } finally {
    await workspace.remove();
  }
});
