import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connect, Events, type KV, type NatsConnection } from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { BelegError } from '../errors.ts';
import { damageFile, filesBelow } from '../../testing/crash/process/chaos/files.ts';
import { hasNatsServer, startNatsServer, type NatsServer } from '../../testing/nats/server.suite.ts';
import { openStallingLink } from '../../testing/nats/stalling-link.suite.ts';
import { sharedFolder } from '../temporary-folder.suite.ts';
import { vaultContract } from './contract.suite.ts';
import { openNatsVault, type NatsVaultOptions } from './nats.ts';
import { UnopenableText, type Sealed, type Vault } from './vault.ts';
import { PATIENT } from '../patient.suite.ts';

const STREAM = 'KV_beleg_keys';
const unavailable = { code: 'STORE_UNAVAILABLE' };
const erased = { code: 'REQUEST_ERASED' };

type Request = NatsConnection['request'];

/** The same connection, with another way to send requests. */
function withRequests(connection: NatsConnection, request: (send: Request) => Request): NatsConnection {
  const send = request(connection.request.bind(connection));
  return new Proxy(connection, {
    get: (target, property) => {
      if (property === 'request') return send;
      const value: unknown = Reflect.get(target, property);
      return value;
    },
  });
}

const asksForKey = (payload: Parameters<Request>[1]): boolean =>
  payload !== undefined && Buffer.from(payload as Uint8Array).includes('$KV.beleg_keys.key.');

describe.skipIf(!hasNatsServer)('NATS vault', () => {
  const folder = sharedFolder();
  let server: NatsServer;
  let connection: NatsConnection;
  let vaults: Vault[];

  beforeAll(async () => {
    server = await startNatsServer(['-sd', folder]);
  });
  afterAll(async () => {
    await server.remove();
  });
  beforeEach(async () => {
    vaults = [];
    connection = await connect({ servers: server.url, reconnectTimeWait: 50, maxReconnectAttempts: -1 });
  });
  afterEach(async () => {
    await Promise.all(vaults.map((vault) => vault.close()));
    const manager = await connection.jetstreamManager();
    await manager.streams.delete(STREAM);
    await connection.close();
  });

  const open = async (
    owner: string,
    options: { over?: NatsConnection } & Partial<NatsVaultOptions> = {},
  ): Promise<Vault> => {
    const { over, ...rest } = options;
    const vault = await openNatsVault(over ?? connection, { owner, sweepAfterMs: 0, ...rest });
    vaults.push(vault);
    return vault;
  };

  /** How many entries there are, keys and markers. */
  async function entries(): Promise<number> {
    const manager = await connection.jetstreamManager();
    return (await manager.streams.info(STREAM)).state.messages;
  }

  /** The key that was made last, as it is written. */
  async function lastKey(): Promise<string> {
    const manager = await connection.jetstreamManager();
    const message = await manager.streams.getMessage(STREAM, { last_by_subj: `$KV.beleg_keys.key.>` });
    return message.json<{ key: string }>().key;
  }

  const vanish = async (): Promise<void> => {
    const manager = await connection.jetstreamManager();
    await manager.streams.delete(STREAM);
  };

  /** Resolves when the connection is there again. */
  async function comeBack({ isEmpty }: { isEmpty: boolean }): Promise<void> {
    await server.kill();
    if (isEmpty) rmSync(join(folder, 'jetstream'), { recursive: true });
    await restart();
  }

  async function restart(): Promise<void> {
    const back = (async () => {
      for await (const { type } of connection.status()) if (type === Events.Reconnect) return;
    })();
    await server.restart();
    await back;
  }

  /** Looked for by a process that never had it. */
  async function expectPutBack(name: string): Promise<void> {
    const there = await connect({ servers: server.url });
    const other = await openNatsVault(there, { owner: 'other' });
    await vi.waitFor(async () => expect(await other.stateOf(name)).toBe('there'), PATIENT);
    await other.close();
    await there.close();
  }

  /** Damages the file of the keys while the server is down; resolves when it is back. */
  async function damage(where: number): Promise<void> {
    await server.kill();
    const files = await filesBelow(join(folder, 'jetstream'));
    await damageFile(
      files.find((path) => /KV_beleg_keys.*\.blk$/u.test(path))!,
      () => where,
    );
    await restart();
  }

  const filesHold = (text: string): boolean =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).some(
      (file) => file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(text),
    );

  vaultContract('NATS', async () => ({
    open: () => openNatsVault(connection, { owner: 'owner', sweepAfterMs: 0 }),
    dispose: async () => {},
  }));

  it.each([
    ['was deleted by hand', (kv: KV, key: string) => kv.delete(key)],
    ['was emptied', (kv: KV, key: string) => kv.put(key, '')],
    ['is no record', (kv: KV, key: string) => kv.put(key, '{"key":"AAAA"}')],
  ])('takes an entry that %s for no key: what it sealed is lost, and its name is free', async (_, damage) => {
    const before = await (await open('a')).seal('r-1', 'text', 'c');
    const kv = await connection.jetstream().views.kv('beleg_keys');
    const [key] = await Array.fromAsync(await kv.keys('key.>'));
    await damage(kv, key!);
    const b = await open('b');
    expect(await b.stateOf('r-1')).toBe('missing');
    await expect(b.open('r-1', before, 'c')).rejects.toBeInstanceOf(UnopenableText);
    expect(await b.open('r-1', await b.seal('r-1', 'again', 'c'), 'c')).toBe('again');
    expect(await b.stateOf('r-1')).toBe('there');
    await b.erase('r-1');
    await expect(b.seal('r-1', 'text', 'c')).rejects.toMatchObject(erased);
  });

  describe('whose bucket vanishes while it is open', () => {
    it('makes it again, and takes the next text at once', async () => {
      const [a, b] = [await open('a'), await open('b')];
      const before = await a.seal('r-1', 'text', 'c');
      await vanish();
      const sealed = await a.seal('r-2', 'text', 'c');
      expect(await b.open('r-2', sealed, 'c')).toBe('text');
      expect(await b.open('r-3', await b.seal('r-3', 'text', 'c'), 'c')).toBe('text');
      // A key that is still in the memory of a process is put back.
      const c = await open('c');
      expect(await c.open('r-1', before, 'c')).toBe('text');
      expect(await c.open('r-1', await a.seal('r-1', 'again', 'c'), 'c')).toBe('again');
    });

    it('has all that is erased erased again before it takes any text', async () => {
      const again: string[] = [];
      const a = await open('a', {
        onEmptied: async () => {
          again.push('r-1');
          await a.erase('r-1');
          expect(await a.isErased('r-1')).toBe(true);
        },
      });
      await a.erase('r-1');
      await vanish();
      await Promise.all([
        a.seal('r-2', 'text', 'c'),
        expect(a.seal('r-1', 'text', 'c')).rejects.toMatchObject(erased),
      ]);
      expect(again).toEqual(['r-1']);
    });

    it('takes no text as long as that cannot be done', async () => {
      const onEmptied = vi
        .fn<() => Promise<void>>()
        .mockRejectedValueOnce(new BelegError('STORE_UNAVAILABLE'))
        .mockResolvedValue();
      const a = await open('a', { onEmptied });
      await vanish();
      await expect(a.seal('r-1', 'text', 'c')).rejects.toMatchObject(unavailable);
      await a.seal('r-1', 'text', 'c');
      await a.seal('r-2', 'text', 'c');
      expect(onEmptied).toHaveBeenCalledTimes(2);
    });

    it('takes no entry of the new one for its own markers of before', async () => {
      const [a, b] = [await open('a'), await open('b')];
      await a.seal('r-1', 'text', 'c');
      await a.seal('r-2', 'text', 'c');
      a.confirm('r-1');
      a.confirm('r-2');
      await vanish();
      const names = ['r-3', 'r-4', 'r-5'];
      const sealed = await Promise.all(names.map((name) => b.seal(name, 'text', 'c')));
      await a.close();
      const c = await open('c');
      for (const [n, name] of names.entries()) expect(await c.open(name, sealed[n]!, 'c')).toBe('text');
      expect(await entries()).toBe(2 * names.length);
    });

    it('knows that it may be another one when the server comes back', async () => {
      const a = await open('a');
      const sealed = await a.seal('r-1', 'text', 'c');
      await comeBack({ isEmpty: true });
      const again = await a.seal('r-1', 'again', 'c');
      const c = await open('c');
      expect(await c.open('r-1', sealed, 'c')).toBe('text');
      expect(await c.open('r-1', again, 'c')).toBe('again');
    });
  });

  describe('whose server comes back', () => {
    it('empty: it puts back the keys that it has in memory, though nobody asks it', async () => {
      await (await open('a')).seal('r-1', 'text', 'c');
      await comeBack({ isEmpty: true });
      await expectPutBack('r-1');
    });

    it('empty while it was still looking whether all keys are there', async () => {
      const looked = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      let isGated = false;
      const slow = withRequests(connection, (send) => async (subject, payload, ...rest) => {
        const answer = await send(subject, payload, ...rest);
        if (isGated && asksForKey(payload)) {
          looked.resolve();
          await gate.promise;
        }
        return answer;
      });
      const a = await open('a', { over: slow });
      const sealed = await a.seal('r-1', 'text', 'c');
      isGated = true;
      await comeBack({ isEmpty: false });
      const opening = a.open('r-1', sealed, 'c');
      await looked.promise;
      await comeBack({ isEmpty: true });
      isGated = false;
      gate.resolve();
      expect(await opening).toBe('text');
      expect(await a.open('r-1', sealed, 'c')).toBe('text');
      await expectPutBack('r-1');
    });
  });

  it('keeps in memory what another one was first to put back into an emptied bucket', async () => {
    const names = Array.from({ length: 50 }, (_, n) => `r-${n}`);
    const [a, b] = [await open('a'), await open('b')];
    const sealed = await Promise.all(names.map((name) => a.seal(name, 'text', 'c')));
    await Promise.all(names.map((name, n) => b.open(name, sealed[n]!, 'c')));
    await vanish();
    await Promise.all([a.seal('n-1', 'text', 'c'), b.seal('n-2', 'text', 'c')]);
    await a.close();
    await vanish();
    await b.seal('n-3', 'text', 'c');
    const c = await open('c');
    for (const [n, name] of names.entries()) expect(await c.open(name, sealed[n]!, 'c')).toBe('text');
  });

  it('looks through its keys once the bucket may be another one, and not with each confirmation', async () => {
    let looks = 0;
    const counting = withRequests(connection, (send) => (subject, payload, ...rest) => {
      if (asksForKey(payload)) looks++;
      return send(subject, payload, ...rest);
    });
    const a = await open('a', { over: counting });
    for (let n = 0; n < 20; n++) await a.seal(`r-${n}`, 'text', 'c');
    looks = 0;
    a.confirm('r-1');
    await vi.waitFor(async () => expect(await entries()).toBe(39), PATIENT);
    expect(looks).toBe(0);
  });

  describe('whose files come back damaged', () => {
    it.each([0.02, 0.1, 0.5, 0.9, 0.99])('keeps what is sealed after it, damaged at %f', async (where) => {
      // given
      const names = Array.from({ length: 200 }, (_, n) => `r-${n}`);
      const writer = await open('a');
      const before = await Promise.all(names.map((name) => writer.seal(name, 'text', 'c')));
      await writer.close();
      const [a, b] = [await open('a'), await open('b')];
      const known = await a.seal('r-199', 'more', 'c');
      // when
      await damage(where);
      // then: what a process still knows, and what comes next
      const [next, nextOfB] = await Promise.all([a.seal('n-1', 'a', 'c'), b.seal('n-1', 'b', 'c')]);
      const c = await open('c');
      expect(await c.open('n-1', next, 'c')).toBe('a');
      expect(await c.open('n-1', nextOfB, 'c')).toBe('b');
      expect(await c.open('r-199', known, 'c')).toBe('more');
      // and what stood before the damage
      const opened = await Promise.allSettled(before.map((sealed, n) => c.open(names[n]!, sealed, 'c')));
      const lost = opened.filter(({ status }) => status === 'rejected').length;
      expect(lost).toBeLessThanOrEqual(200 * (1 - where) + 2);
      await c.sweep(async () => true);
    });

    it('erases all that is erased again before it takes any text', async () => {
      const a = await open('a', { onEmptied: async () => void (await a.erase('r-1')) });
      for (let n = 0; n < 200; n++) await a.seal(`r-${n}`, 'text', 'c');
      const sealed = await a.seal('r-1', 'text', 'c');
      await damage(0.5);
      await expect(a.seal('r-1', 'text', 'c')).rejects.toMatchObject(erased);
      expect(await a.open('r-1', sealed, 'c')).toBeNull();
      expect(await a.open('r-2', await a.seal('r-2', 'again', 'c'), 'c')).toBe('again');
    });
  });

  describe('shared by processes', () => {
    it('has one key of a name, whoever came first', async () => {
      const [a, b] = [await open('a'), await open('b')];
      const names = Array.from({ length: 50 }, (_, index) => `r-${index}`);
      const sealed = await Promise.all(
        names.flatMap((name) => [a.seal(name, 'of a', 'c'), b.seal(name, 'of b', 'c')]),
      );
      const c = await open('c');
      for (const [index, one] of sealed.entries()) {
        expect(await c.open(names[index >> 1]!, one, 'c')).toBe(index % 2 === 0 ? 'of a' : 'of b');
      }
    });

    it('stops opening everywhere what one erased', async () => {
      const there = await connect({ servers: server.url });
      const [a, b] = [await open('a'), await open('b', { over: there })];
      const sealed = await a.seal('r-1', 'text', 'c');
      expect(await b.open('r-1', sealed, 'c')).toBe('text');
      await a.erase('r-1');
      await connection.flush();
      await there.flush();
      expect(await b.open('r-1', sealed, 'c')).toBeNull();
      await expect(b.seal('r-1', 'again', 'c')).rejects.toMatchObject(erased);
      await b.close();
      await there.close();
    });

    it('stops opening it also where the notice was lost, a little later', async () => {
      const deaf = await connect({ servers: server.url });
      const subscribe = vi.spyOn(deaf, 'subscribe').mockReturnValue({ unsubscribe: () => {} } as never);
      const [a, b] = [await open('a'), await open('b', { over: deaf, cachedForMs: 50 })];
      subscribe.mockRestore();
      const sealed = await a.seal('r-1', 'text', 'c');
      expect(await b.open('r-1', sealed, 'c')).toBe('text');
      await a.erase('r-1');
      await expect.poll(() => b.open('r-1', sealed, 'c')).toBeNull();
      await b.close();
      await deaf.close();
    });

    it('does not keep a key that was erased while it was being read', async () => {
      const a = await open('a');
      const sealed = await a.seal('r-1', 'text', 'c');
      const answered = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      let gated = false;
      const slow = withRequests(connection, (send) => async (subject, ...rest) => {
        const answer = await send(subject, ...rest);
        if (gated) {
          answered.resolve();
          await gate.promise;
        }
        return answer;
      });
      const b = await open('b', { over: slow });
      gated = true;
      const opening = b.open('r-1', sealed, 'c');
      await answered.promise;
      await a.erase('r-1');
      await connection.flush();
      gate.resolve();
      expect(await opening).toBe('text');
      expect(await b.open('r-1', sealed, 'c')).toBeNull();
    });
  });

  describe('round trips', () => {
    it('are none for a known key, and two for a new one: the second reads it back', async () => {
      let sent = 0;
      let answered = 0;
      let sentBeforeAnswers = 0;
      const counting = withRequests(connection, (send) => async (subject, ...rest) => {
        sent++;
        if (answered === 0) sentBeforeAnswers++;
        const answer = await send(subject, ...rest);
        answered++;
        return answer;
      });
      const vault = await open('a', { over: counting });
      sent = answered = sentBeforeAnswers = 0;
      const sealed = await vault.seal('r-1', 'text', 'c');
      expect([sentBeforeAnswers, sent]).toEqual([2, 3]);
      sent = 0;
      await vault.seal('r-1', 'more', 'c');
      expect(await vault.open('r-1', sealed, 'c')).toBe('text');
      expect(sent).toBe(0);
    });
  });

  describe('erasing', () => {
    it('leaves nothing of the key in any file of the server', async () => {
      const vault = await open('a');
      for (let i = 0; i < 20; i++) await vault.seal(`before-${i}`, 'text', 'c');
      await vault.seal('r-7', 'text', 'c');
      const key = await lastKey();
      await vault.seal('r-8', 'text', 'c');
      const kept = await lastKey();
      await vi.waitFor(() => expect(filesHold(key) && filesHold(kept)).toBe(true), PATIENT);
      await vault.erase('r-7');
      expect(filesHold(key)).toBe(false);
      await server.kill();
      expect(filesHold(key)).toBe(false);
      expect(filesHold(kept)).toBe(true);
      await server.restart();
      await vi.waitFor(() => connection.flush(), PATIENT);
    });

    it('leaves nothing of a key that others used since, nor of a swept one', async () => {
      const [a, b] = [await open('a'), await open('b')];
      await a.seal('r-1', 'text', 'c');
      const used = await lastKey();
      await b.seal('r-1', 'text', 'c');
      await a.seal('r-2', 'text', 'c');
      const unused = await lastKey();
      await vi.waitFor(() => expect(filesHold(used) && filesHold(unused)).toBe(true), PATIENT);
      await a.erase('r-1');
      expect(await a.sweep(async () => false)).toBe(1);
      expect(filesHold(used)).toBe(false);
      expect(filesHold(unused)).toBe(false);
    });
  });

  describe('sweeping', () => {
    it('asks about its own keys only', async () => {
      const [a, b] = [await open('a'), await open('b')];
      await a.seal('r-a', 'text', 'c');
      const sealed = await b.seal('r-b', 'text', 'c');
      const asked: string[] = [];
      expect(await a.sweep(async (name) => asked.push(name) === 0)).toBe(1);
      expect(asked).toEqual(['r-a']);
      expect(await b.open('r-b', sealed, 'c')).toBe('text');
    });

    it('leaves a key whose text may still be on its way to the store', async () => {
      // given
      const sealed = await (await open('a')).seal('r-1', 'sent, and not there yet', 'c');
      // when
      const again = await open('a', { sweepAfterMs: 60_000 });
      expect(await again.sweep(async () => false)).toBe(0);
      // then
      expect(await again.open('r-1', sealed, 'c')).toBe('sent, and not there yet');
      expect(await (await open('a')).sweep(async () => false)).toBe(1);
      expect(await entries()).toBe(0);
    });

    it('leaves a key that another process uses, until that one has no use for it either', async () => {
      await (await open('a')).seal('r-1', 'lost', 'c');
      const b = await open('b');
      const sealed = await b.seal('r-1', 'in the spool of b', 'c');
      const [again, fresh] = [await open('a'), await open('c')];
      expect(await again.sweep(async () => false)).toBe(0);
      expect(await fresh.open('r-1', sealed, 'c')).toBe('in the spool of b');
      expect(await b.sweep(async () => false)).toBe(1);
      expect(await entries()).toBe(0);
    });

    it('leaves a key whose text waits in another process, however often both look', async () => {
      await (await open('a')).seal('r-1', 'lost', 'c');
      const sealed = await (await open('b')).seal('r-1', 'in the spool of b', 'c');
      for (let round = 0; round < 2; round++) {
        expect(await (await open('b')).sweep(async () => 'later')).toBe(0);
        expect(await (await open('a')).sweep(async () => false)).toBe(0);
      }
      expect(await (await open('b')).open('r-1', sealed, 'c')).toBe('in the spool of b');
    });

    it('leaves a key that another process begins to use meanwhile', async () => {
      await (await open('a')).seal('r-1', 'lost', 'c');
      const [again, b] = [await open('a'), await open('b')];
      let sealed: Sealed | undefined;
      const removed = await again.sweep(async (name) => {
        sealed = await b.seal(name, 'just now', 'c');
        b.confirm(name);
        await b.close();
        return false;
      });
      expect(removed).toBe(0);
      expect(await (await open('c')).open('r-1', sealed!, 'c')).toBe('just now');
    });

    it('goes through more than a page', async () => {
      const vault = await open('a');
      await Promise.all(Array.from({ length: 600 }, (_, index) => vault.seal(`r-${index}`, 'text', 'c')));
      expect(await vault.sweep(async (name) => !name.endsWith('0'))).toBe(60);
      expect(await entries()).toBe(540);
    });
  });

  /**
   * A process that dies at its nth request, which is not sent (or whose answer is not received), like all later ones.
   */
  const dying = (at: number, when: 'before' | 'after'): NatsConnection => {
    let requests = 0;
    return withRequests(connection, (send) => async (subject, ...rest) => {
      requests++;
      if (requests > at || (requests === at && when === 'before')) throw new Error('dead');
      const answer = await send(subject, ...rest);
      if (requests >= at && when === 'after') throw new Error('dead');
      return answer;
    });
  };

  describe.each(['before', 'after'] as const)('a crash %s any request', (when) => {
    /** Runs `work` in processes that die one request later each time, until one gets through. */
    async function crashEverywhere(
      prepare: (name: string) => Promise<void>,
      work: (vault: Vault, name: string) => Promise<unknown>,
      check: (name: string) => Promise<void>,
    ): Promise<number> {
      for (let at = 1; ; at++) {
        const name = `${when}-${at}`;
        await prepare(name);
        let outcome: unknown;
        try {
          const vault = await openNatsVault(dying(at, when), { owner: 'a', sweepAfterMs: 0 });
          outcome = await work(vault, name).catch((error: unknown) => error);
        } catch (error) {
          outcome = error;
        }
        await check(name);
        if (!(outcome instanceof Error)) return at;
        expect(outcome).toMatchObject(unavailable);
      }
    }

    it('of a seal leaves nothing that a sweep does not remove', async () => {
      const crashes = await crashEverywhere(
        async () => void (await open('a')),
        (vault, name) => vault.seal(name, 'text', 'c'),
        async () => {
          await (await open('a')).sweep(async () => false);
          expect(await entries()).toBe(0);
        },
      );
      expect(crashes).toBeGreaterThan(2);
    });

    it('of a seal under a key of another leaves that one its key', async () => {
      let sealed: Sealed | undefined;
      const crashes = await crashEverywhere(
        async (name) => {
          sealed = await (await open('b')).seal(name, 'of b', 'c');
        },
        (vault, name) => vault.seal(name, 'of a', 'c'),
        async (name) => {
          expect(await (await open('a')).sweep(async () => false)).toBe(0);
          expect(await (await open('c')).open(name, sealed!, 'c')).toBe('of b');
          expect(await (await open('b')).sweep(async () => false)).toBe(1);
          expect(await entries()).toBe(0);
        },
      );
      expect(crashes).toBeGreaterThan(4);
    });

    it('of a sweep leaves the name free, and the rest to the next sweep', async () => {
      const crashes = await crashEverywhere(
        async (name) => void (await (await open('a')).seal(name, 'lost', 'c')),
        (vault) => vault.sweep(async () => false),
        async (name) => {
          const b = await open('b');
          const sealed = await b.seal(name, 'of b', 'c');
          await (await open('a')).sweep(async () => false);
          expect(await b.open(name, sealed, 'c')).toBe('of b');
          expect(await (await open('c')).open(name, sealed, 'c')).toBe('of b');
          expect(await (await open('b')).sweep(async () => false)).toBe(1);
          expect(await entries()).toBe(0);
        },
      );
      expect(crashes).toBeGreaterThan(8);
    });

    it('of an erasure can be made good by another, to the last byte', async () => {
      let sealed: Sealed | undefined;
      let key = '';
      const crashes = await crashEverywhere(
        async (name) => {
          sealed = await (await open('b')).seal(name, 'text', 'c');
          key = await lastKey();
        },
        (vault, name) => vault.erase(name),
        async (name) => {
          const c = await open('c');
          await c.erase(name);
          expect(await c.open(name, sealed!, 'c')).toBeNull();
          expect(filesHold(key)).toBe(false);
          await expect(c.seal(name, 'again', 'c')).rejects.toMatchObject(erased);
        },
      );
      expect(crashes).toBeGreaterThan(3);
    });
  });

  describe('while NATS fails', () => {
    it('keeps what it acknowledged through a kill of the server, and goes on afterwards', async () => {
      const vault = await open('a');
      const sealed = await vault.seal('r-1', 'text', 'c');
      await server.kill();
      expect(await vault.open('r-1', sealed, 'c')).toBe('text');
      await vault.seal('r-1', 'more', 'c');
      await expect(vault.seal('r-2', 'text', 'c')).rejects.toMatchObject(unavailable);
      await server.restart();
      const fresh = await vi.waitFor(() => open('b'), PATIENT);
      expect(await fresh.open('r-1', sealed, 'c')).toBe('text');
      await vault.seal('r-2', 'text', 'c');
    });

    it('says so where nothing answers', async () => {
      const link = await openStallingLink(server.port);
      const stalled = await connect({ servers: link.url });
      const vault = await open('a', { over: stalled });
      const sealed = await (await open('b')).seal('r-1', 'text', 'c');
      link.stall();
      const refused = expect.objectContaining(unavailable) as unknown;
      expect(
        await Promise.all(
          [
            vault.seal('r-2', 'text', 'c'),
            vault.open('r-1', sealed, 'c'),
            vault.erase('r-1'),
            vault.sweep(async () => false),
          ].map((call) => call.catch((error: unknown) => error)),
        ),
      ).toEqual([refused, refused, refused, refused]);
      link.resume();
      await vault.close();
      await stalled.close();
      await link.close();
    });

    it('refuses a bucket that keeps what is deleted', async () => {
      const manager = await connection.jetstreamManager();
      await manager.streams.add({ name: STREAM, subjects: ['$KV.beleg_keys.>'], deny_delete: true });
      await expect(open('a')).rejects.toMatchObject(unavailable);
    });

    it('corrects a bucket that would drop keys', async () => {
      const manager = await connection.jetstreamManager();
      await manager.streams.add({
        name: STREAM,
        subjects: ['$KV.beleg_keys.>'],
        max_msgs_per_subject: 1,
        max_age: 60 * 60 * 1e9,
      });
      await open('a');
      const { config } = await manager.streams.info(STREAM);
      expect(config).toMatchObject({ max_msgs_per_subject: -1, max_age: 0 });
    });

    it('takes no owner that would be more than one part of a subject', async () => {
      for (const owner of ['', 'a.b', '*', '>', 'a b']) await expect(open(owner)).rejects.toThrow(TypeError);
      await open('a');
    });
  });

  // Iterators of the client that nobody stops keep a process alive.
  it('lets its process end once it is closed', async () => {
    const program = `
      const { connect } = await import('nats');
      const { openNatsVault } = await import(${JSON.stringify(new URL('./nats.ts', import.meta.url))});
      const connection = await connect({ servers: process.argv[1] });
      const vault = await openNatsVault(connection, { owner: 'a' });
      await vault.seal('r-1', 'text', 'c');
      vault.confirm('r-1');
      await vault.sweep(async () => true);
      await vault.erase('r-1');
      await vault.close();
      await connection.drain();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, server.url], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    try {
      expect(await once(child, 'exit')).toEqual([0, null]);
      await open('a');
    } finally {
      child.kill('SIGKILL');
    }
  });
});
