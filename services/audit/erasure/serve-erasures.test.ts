import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Erase } from '../../../events/messages/audit.ts';
import { call } from '../../../events/messages/define.ts';
import { Client, QUESTION, Workspace } from '../../../testing/processes/application.suite.ts';
import { startApplication } from '../../composition/application.ts';
import { readSettings } from '../../composition/settings.ts';
import type { Runtime } from '../../composition/runtime.ts';

/** Words that nobody else would write, in every text that a caller can send. */
const WORDS = ['Geheimfrage', 'Geheimnote', 'Geheimwort'];

const SERVICES = ['gateway', 'knowledge', 'audit'] as const;

async function start(workspace: Workspace) {
  const logged: string[] = [];
  const settings = readSettings(workspace.environment());
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const application = await startApplication(settings, logger, { services: SERVICES });
  const erase = (request_id: string) =>
    call(
      application.runtime.bus,
      Erase,
      { request_id, reason: 'consent withdrawn' },
      { correlationId: 'operator', callId: randomUUID() },
    );
  return { application, client: new Client(application.url!), erase, logged };
}

test('what was erased is in no file and no log, and takes no text any more; the service goes on', async () => {
  const workspace = await Workspace.create();
  const { application, client, erase, logged } = await start(workspace);
  const filesWith = (word: string) =>
    readdirSync(workspace.data, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(word))
      .map(({ name }) => name);
  try {
    expect((await client.ask(`${QUESTION} Geheimfrage`, 'r-1')).status).toBe(200);
    expect((await client.rate('r-1', 'up', 'Geheimnote')).status).toBe(200);
    expect((await client.comment('r-1', 'Geheimwort')).status).toBe(201);
    await expect(erase('r-9')).rejects.toMatchObject({ code: 'UNKNOWN_REQUEST_ID' });
    await expect(erase('r-1')).resolves.toMatchObject({ request_id: 'r-1', repeated: false });
    expect(WORDS.flatMap(filesWith)).toEqual([]);

    const gone = { status: 410, body: { code: 'REQUEST_ERASED' } };
    expect(await client.rate('r-1', 'down', 'Geheimnote')).toMatchObject(gone);
    expect(await client.comment('r-1', 'Geheimwort')).toMatchObject(gone);
    expect(await client.ask(`${QUESTION} Geheimfrage`, 'r-1')).toMatchObject(gone);
    expect(await client.rate('r-1', 'down')).toMatchObject({ status: 200, body: { updated: true } });
    const types: string[] = [];
    const { store } = application.runtime as Runtime;
    for await (const event of store.readStream('ask-r-1')) types.push(event.type);
    expect(types.filter((type) => type === 'QuestionAsked')).toHaveLength(1);
    expect(types.filter((type) => type === 'AnswerRated')).toHaveLength(2);
    expect((await client.ask(QUESTION, 'r-2')).body).toMatchObject({
      status: 'answered',
      ratings_enabled: true,
    });
    expect((await client.health()).status).toBe(200);
  } finally {
    await application.close();
  }
  // A start finds nothing to trip over, and the same answer.
  const again = await start(workspace);
  try {
    await expect(again.erase('r-1')).resolves.toMatchObject({ repeated: true });
    expect(await again.client.rate('r-1', 'up')).toMatchObject({ status: 200, body: { updated: true } });
    expect(WORDS.flatMap(filesWith)).toEqual([]);
    const lines = [...logged, ...again.logged];
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => WORDS.some((word) => line.includes(word)))).toEqual([]);
  } finally {
    await again.application.close();
    await workspace.remove();
  }
});
