import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UnopenableText, type Vault } from './vault.ts';

/** Opens vaults over one and the same place, which outlives them; `dispose` removes it. */
export interface VaultHarness {
  open(): Promise<Vault>;
  dispose(): Promise<void>;
}

/** Every guarantee of the `Vault` port, for any adapter. */
export function vaultContract(name: string, createHarness: () => Promise<VaultHarness>): void {
  describe(`Vault contract: ${name}`, () => {
    let harness: VaultHarness;
    let vault: Vault;

    beforeEach(async () => {
      harness = await createHarness();
      vault = await harness.open();
    });

    afterEach(async () => {
      await vault.close();
      await harness.dispose();
    });

    const reopen = async (): Promise<void> => {
      await vault.close();
      vault = await harness.open();
    };

    it('opens what it sealed, also after a restart', async () => {
      const sealed = await vault.seal('r-1', 'Wie hoch ist der Mindestlohn?', 'e-1/question');
      expect(sealed.$sealed).not.toContain('Mindestlohn');
      expect(await vault.open('r-1', sealed, 'e-1/question')).toBe('Wie hoch ist der Mindestlohn?');
      await reopen();
      expect(await vault.open('r-1', sealed, 'e-1/question')).toBe('Wie hoch ist der Mindestlohn?');
    });

    it('opens any well-formed text under any name and context', async () => {
      const text = fc.string({ unit: 'binary' });
      await fc.assert(
        fc.asyncProperty(fc.uuid(), text, text, async (key, plaintext, context) => {
          const sealed = await vault.seal(key, plaintext, context);
          expect(await vault.open(key, sealed, context)).toBe(plaintext);
        }),
        { numRuns: 50 },
      );
    });

    it('takes any text as a name, and sweeps by it', async () => {
      const names = [
        ...new Set([
          ' ',
          '.',
          '*',
          '>',
          'a.b',
          'A',
          'a',
          'ä',
          'x'.repeat(5000),
          ...fc.sample(fc.string({ unit: 'binary', minLength: 1 }), 50),
        ]),
      ];
      const sealed = await Promise.all(names.map((name) => vault.seal(name, `text of ${name}`, 'c')));
      await reopen();
      for (const [index, name] of names.entries()) {
        expect(await vault.open(name, sealed[index]!, 'c')).toBe(`text of ${name}`);
      }
      const asked: string[] = [];
      await vault.sweep(async (name) => asked.push(name) > 0);
      expect(asked.sort()).toEqual(names.sort());
    });

    it('seals the empty text and a megabyte', async () => {
      for (const plaintext of ['', 'ä'.repeat(512 * 1024)]) {
        const sealed = await vault.seal('r-1', plaintext, 'e-1/question');
        expect(await vault.open('r-1', sealed, 'e-1/question')).toBe(plaintext);
      }
    });

    it('never seals the same text to the same bytes', async () => {
      const first = await vault.seal('r-1', 'same', 'e-1/question');
      const second = await vault.seal('r-1', 'same', 'e-1/question');
      expect(first.$sealed).not.toBe(second.$sealed);
    });

    it('refuses text that was moved to another context or another key, or changed', async () => {
      const sealed = await vault.seal('r-1', 'moved', 'e-1/question');
      await vault.seal('r-2', 'other', 'e-2/question');
      const corrupt = { code: 'STREAM_CORRUPT' };
      await expect(vault.open('r-1', sealed, 'e-1/answer')).rejects.toMatchObject(corrupt);
      await expect(vault.open('r-2', sealed, 'e-1/question')).rejects.toMatchObject(corrupt);
      const bytes = Buffer.from(sealed.$sealed, 'base64');
      for (const at of [0, 12, bytes.length - 1]) {
        const changed = Buffer.from(bytes);
        changed[at]! ^= 1;
        const forged = { $sealed: changed.toString('base64') };
        await expect(vault.open('r-1', forged, 'e-1/question')).rejects.toMatchObject(corrupt);
      }
      for (const broken of ['', 'AAAA', '!']) {
        await expect(vault.open('r-1', { $sealed: broken }, 'e-1/question')).rejects.toMatchObject(corrupt);
      }
    });

    it('calls a key that never was a fault, not an erasure', async () => {
      const sealed = await vault.seal('r-1', 'text', 'c');
      await expect(vault.open('r-9', sealed, 'c')).rejects.toBeInstanceOf(UnopenableText);
      expect([await vault.stateOf('r-1'), await vault.stateOf('r-9')]).toEqual(['there', 'missing']);
      expect(await vault.stateOf('r-1', { sealed, context: 'c' })).toBe('there');
      const other = { sealed: await vault.seal('r-2', 'Text', 'c'), context: 'c' };
      expect(await vault.stateOf('r-1', other)).toBe('missing');
      // An erased key does not count as lost.
      await vault.erase('r-1');
      expect(await vault.stateOf('r-1')).toBe('erased');
    });

    it('gives concurrent first uses of a name one key', async () => {
      const sealed = await Promise.all(
        Array.from({ length: 50 }, (_, index) => vault.seal('r-1', `text ${index}`, 'c')),
      );
      await reopen();
      for (const [index, one] of sealed.entries()) {
        expect(await vault.open('r-1', one, 'c')).toBe(`text ${index}`);
      }
    });

    it('erases: text reads as null for good, and later text under the name is refused', async () => {
      const sealed = await vault.seal('r-1', 'to be forgotten', 'c');
      const kept = await vault.seal('r-2', 'to be kept', 'c');
      for (const name of ['r-1', 'unknown']) expect(await vault.isErased(name)).toBe(false);
      expect(await vault.erase('r-1')).toBe(true);
      for (let round = 0; round < 2; round++) {
        expect(await vault.isErased('r-1')).toBe(true);
        expect(await vault.open('r-1', sealed, 'c')).toBeNull();
        expect(await vault.open('r-2', kept, 'c')).toBe('to be kept');
        await expect(vault.seal('r-1', 'again', 'c')).rejects.toMatchObject({ code: 'REQUEST_ERASED' });
        expect(await vault.erase('r-1')).toBe(false);
        await reopen();
      }
    });

    it('has nothing to erase under an unknown or a swept name, and takes no text under it from then on', async () => {
      await vault.seal('swept', 'lost', 'c');
      await vault.sweep(async () => false);
      for (const name of ['unknown', 'swept']) {
        for (let round = 0; round < 2; round++) {
          expect(await vault.erase(name)).toBe(false);
          await reopen();
          await expect(vault.seal(name, 'text', 'c')).rejects.toMatchObject({ code: 'REQUEST_ERASED' });
        }
      }
      expect(await vault.sweep(async () => false)).toBe(0);
    });

    it('sweeps keys whose text was never stored, and asks about unconfirmed ones only', async () => {
      const used = await vault.seal('used', 'a', 'c');
      const confirmed = await vault.seal('confirmed', 'b', 'c');
      const lost = await vault.seal('lost', 'd', 'c');
      vault.confirm('confirmed');
      await reopen();

      const asked: string[] = [];
      const isUsed = async (key: string): Promise<boolean> => {
        asked.push(key);
        return key === 'used';
      };
      expect(await vault.sweep(isUsed)).toBe(1);
      expect(asked.sort()).toEqual(['lost', 'used']);
      expect(await vault.open('used', used, 'c')).toBe('a');
      expect(await vault.open('confirmed', confirmed, 'c')).toBe('b');
      await expect(vault.open('lost', lost, 'c')).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });

      asked.length = 0;
      expect(await vault.sweep(isUsed)).toBe(0);
      expect(asked).toEqual([]);
    });

    it('keeps a key whose text waits to be recorded, and asks about it again', async () => {
      const sealed = await vault.seal('waiting', 'a', 'c');
      await reopen();
      for (let round = 0; round < 2; round++) {
        const asked: string[] = [];
        expect(await vault.sweep(async (key) => (asked.push(key) > 0 ? 'later' : true))).toBe(0);
        expect(asked).toEqual(['waiting']);
        expect(await vault.open('waiting', sealed, 'c')).toBe('a');
      }
    });

    it('lets a swept name be used again', async () => {
      await vault.seal('r-1', 'lost', 'c');
      expect(await vault.sweep(async () => false)).toBe(1);
      const sealed = await vault.seal('r-1', 'stored', 'c');
      expect(await vault.open('r-1', sealed, 'c')).toBe('stored');
    });

    it('keeps a tombstone through a sweep', async () => {
      const sealed = await vault.seal('r-1', 'text', 'c');
      await vault.erase('r-1');
      await vault.sweep(async () => false);
      expect(await vault.open('r-1', sealed, 'c')).toBeNull();
    });

    it('refuses everything once closed, and closes twice', async () => {
      const sealed = await vault.seal('r-1', 'text', 'c');
      await vault.close();
      await vault.close();
      const unavailable = { code: 'STORE_UNAVAILABLE' };
      await expect(vault.seal('r-1', 'text', 'c')).rejects.toMatchObject(unavailable);
      await expect(vault.open('r-1', sealed, 'c')).rejects.toMatchObject(unavailable);
      await expect(vault.erase('r-1')).rejects.toMatchObject(unavailable);
      await expect(vault.sweep(async () => false)).rejects.toMatchObject(unavailable);
      vault.confirm('r-1');
    });
  });
}
