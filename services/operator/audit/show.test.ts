import { join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Story } from '../../../events/messages/audit.ts';
import { openEmbeddedStore } from '../../../events/store/embedded/embedded.ts';
import { sharedFolder } from '../../../events/temporary-folder.suite.ts';
import { openSqliteVault } from '../../../events/vault/sqlite.ts';
import { QUESTION, ToldRecord } from '../../audit/story/told-record.suite.ts';
import { answeredAsk, cancelledOrder } from '../../audit/story/told-stories.suite.ts';
import { rerun } from './rerun.ts';
import { show } from './show.ts';

// The tests ask no question, so no base and no models are needed.
vi.mock(import('../ask-pipeline.ts'), () => ({
  openPipeline: async () => ({
    languages: ['de'],
    sources: [],
    answer: () => Promise.reject(new Error('asked')),
    [Symbol.asyncDispose]: async () => undefined,
  }),
}));

const folder = sharedFolder();

beforeAll(async () => {
  const vault = await openSqliteVault({ file: join(folder, 'keys.db') });
  const store = await openEmbeddedStore({ file: join(folder, 'events.db') });
  const record = new ToldRecord({ store, vault });
  await answeredAsk(record);
  await cancelledOrder(record);
  await store.close();
  await vault.close();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

const textOf = ({ mock }: { mock: { calls: unknown[][] } }): string => mock.calls.flat().join('');

/** The command's output and exit code. */
async function run(id: string, options: { json?: true } = {}) {
  vi.stubEnv('DATA_DIR', folder);
  const out = vi.spyOn(console, 'log').mockReturnValue();
  const err = vi.spyOn(console, 'error').mockReturnValue();
  await show(id, options);
  return { out: textOf(out), err: textOf(err), code: process.exitCode };
}

test('reads a record on disk, text and all, and tells the story', async () => {
  const { out, err, code } = await run('demo-1');
  expect(out).toContain(`“${QUESTION}”`);
  expect(out).toMatch(/path: new => asked => .*$/s);
  expect([err, code]).toEqual(['', undefined]);
});

test('finds an order in the embedded store by its id alone', async () => {
  const { out } = await run('o-afbf52202cb3641f', { json: true });
  const story = Story.parse(JSON.parse(out));
  expect(story.machine.path.at(-1)).toBe('cancelled');
  expect(story.entries).toHaveLength(8);
});

test('exits with 5 where nothing is on record, and says what ids there are', async () => {
  const { out, err, code } = await run('demo-0');
  expect([out, code]).toEqual(['', 5]);
  expect(err).toMatch(/nothing is recorded under this id.*request id.*order id.*training.*update/s);
});

test('what asks again exits with 5 too, and asks nothing, where no ask is on record', async () => {
  vi.stubEnv('DATA_DIR', folder);
  const out = vi.spyOn(console, 'log').mockReturnValue();
  const err = vi.spyOn(console, 'error').mockReturnValue();
  await rerun(['demo-0'], { json: true });
  expect(textOf(err)).toBe('beleg: no question is recorded under demo-0');
  expect(JSON.parse(textOf(out))).toMatchObject({ summary: { asked: 0 } });
  expect(process.exitCode).toBe(5);
});
