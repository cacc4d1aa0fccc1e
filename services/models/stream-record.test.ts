import { expect, it } from 'vitest';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { MODELS_STREAM } from '../../events/catalog/models.ts';
import { createCodec } from '../../events/define.ts';
import { BelegError } from '../../events/errors.ts';
import type { Vault } from '../../events/vault/vault.ts';
import { MemoryStore } from '../../events/store/memory-store.suite.ts';
import { MODELS_DECIDER } from './model-in-use.ts';
import { StreamRecord } from './stream-record.ts';

const codec = createCodec(CATALOG, {} as Vault);
const call = (callId: string) => ({ correlationId: 'r', callId });
const openRun = (run: string) => ({ type: 'OpenRun' as const, run });

/** Its next append is said to have failed, and lands when it is told to. */
class LateStore extends MemoryStore {
  isLate = false;
  #land: (() => Promise<unknown>) | null = null;

  override async append(...request: Parameters<MemoryStore['append']>) {
    if (this.isLate) {
      this.isLate = false;
      this.#land = () => super.append(...request);
      throw new BelegError('STORE_UNAVAILABLE');
    }
    await this.#land?.();
    this.#land = null;
    return super.append(...request);
  }
}

const open = (store: MemoryStore) =>
  StreamRecord.open(MODELS_STREAM, MODELS_DECIDER, { store, codec, now: () => new Date() });

it('an append that lands late, in front of the next one, is taken in', async () => {
  const store = new LateStore();
  const record = await open(store);
  const heard: string[] = [];
  record.follow(({ type }) => heard.push(type));
  store.isLate = true;
  await expect(record.submit(openRun('a'), call('1'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(record.state.runs).toEqual([]);
  await record.submit(openRun('b'), call('2'));
  expect(record.state.runs).toEqual(['a', 'b']);
  expect(heard).toEqual(['TrainingRunOpened', 'TrainingRunOpened']);
  expect((await open(store)).state).toEqual(record.state);
});

it('what another process has written is not', async () => {
  const store = new MemoryStore();
  const [record, other] = await Promise.all([open(store), open(store)]);
  await other.submit(openRun('b'), call('1'));
  await expect(record.submit(openRun('a'), call('2'))).rejects.toMatchObject({
    code: 'WRONG_EXPECTED_REVISION',
  });
  expect((await open(store)).state.runs).toEqual(['b']);
});

it('commands that come at once are decided one after the other', async () => {
  const store = new MemoryStore();
  const record = await open(store);
  await Promise.all(['a', 'b', 'a'].map((run, at) => record.submit(openRun(run), call(String(at)))));
  expect(record.state.runs).toEqual(['a', 'b']);
});
