import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createCodec,
  createDecoder,
  defineEvent,
  SEALED_TEXT,
  streamHash,
  type DomainEvent,
  type EventCause,
} from './define.ts';
import { BelegError } from './errors.ts';
import type { Json } from './json.ts';
import type { NewEvent, Position, RecordedEvent } from './store/store.ts';
import { NO_KEYS, type Sealed, type Vault } from './vault/vault.ts';

const Commented = defineEvent(
  'feedback',
  'CommentRecorded',
  { request_id: z.string(), comment: z.string(), tags: z.array(z.string()) },
  { freeText: ['comment', 'tags'] },
);

const cause: EventCause = {
  stream: 'ask-R.1',
  at: '2022-03-01T08:00:00Z',
  correlationId: 'R.1',
  causationId: 'call-1',
  key: 'R.1',
};

const data = { request_id: 'R.1', comment: 'Das stimmt <b>nicht</b>.', tags: ['lohn', 'ä'] };

/** Readable on purpose: what is sealed shows its key and its place. */
class TransparentVault implements Pick<Vault, 'open' | 'seal' | 'confirm'> {
  readonly erased = new Set<string>();
  readonly confirmed = new Set<string>();
  sealed = 0;

  confirm(key: string): void {
    this.confirmed.add(key);
  }

  async seal(key: string, plaintext: string, context: string): Promise<Sealed> {
    this.sealed++;
    return { $sealed: JSON.stringify([key, plaintext, context, this.sealed]) };
  }

  async open(key: string, sealed: Sealed, context: string): Promise<string | null> {
    if (this.erased.has(key)) return null;
    const [sealedKey, plaintext, sealedContext] = JSON.parse(sealed.$sealed) as [string, string, string];
    if (sealedKey !== key || sealedContext !== context) throw new BelegError('STREAM_CORRUPT');
    return plaintext;
  }

  async erase(key: string): Promise<boolean> {
    this.erased.add(key);
    return true;
  }
}

/** The event as a store returns it: read from JSON, with its place and its hash. */
function recorded(event: NewEvent, stream = cause.stream): RecordedEvent {
  const copy = JSON.parse(JSON.stringify(event)) as NewEvent;
  return {
    ...copy,
    stream,
    revision: 0n,
    position: '1' as Position,
    metadata: { ...copy.metadata, hash: 'f'.repeat(64) },
  };
}

describe('defineEvent', () => {
  it('creates an event whose id the call decides, not the data or the time', () => {
    const event = Commented.create(data, cause);
    const again = Commented.create({ ...data, comment: 'x' }, { ...cause, at: '2023-01-01T00:00:00Z' });
    expect(again.id).toBe(event.id);
    expect(Commented.create(data, { ...cause, causationId: 'call-2' }).id).not.toBe(event.id);
    expect(Commented.create(data, { ...cause, ordinal: 1 }).id).not.toBe(event.id);
    expect(Commented.create(data, { ...cause, stream: 'ask-2' }).id).not.toBe(event.id);
    expect(event.metadata).toEqual({
      at: cause.at,
      version: 1,
      $correlationId: 'R.1',
      $causationId: 'call-1',
      key: 'R.1',
    });
  });

  it('refuses data that the schema does not know', () => {
    const extra = { ...data, employee: 'Anna' };
    expect(() => Commented.create(extra, cause)).toThrow(z.ZodError);
    expect(() => Commented.create({ ...data, comment: 1 as unknown as string }, cause)).toThrow(z.ZodError);
  });

  it('names no vault key where nothing is left to seal', () => {
    const event = Commented.create(data, cause, { redact: true });
    expect(event.data).toEqual({ request_id: 'R.1', comment: null, tags: null });
    expect(event.metadata).not.toHaveProperty('key');
  });

  it('has a subject of fixed depth in lower case, whatever the stream is called', () => {
    const subject = Commented.subject('ask-R.1:X');
    expect(subject).toBe(`beleg.v1.evt.feedback.comment-recorded.${streamHash('ask-R.1:X')}`);
    expect(subject).toMatch(/^[a-z0-9.-]+$/);
    expect(subject.split('.')).toHaveLength(6);
  });
});

describe('Codec', () => {
  it('stores free text as ciphertext alone, and reads it back', async () => {
    const vault = new TransparentVault();
    const codec = createCodec([Commented], vault);
    const event = Commented.create(data, cause);
    const stored = await codec.encode(event);
    expect(Object.keys(stored.data as object)).toEqual(['request_id', 'comment', 'tags']);
    expect(stored.data).toMatchObject({
      request_id: 'R.1',
      comment: { $sealed: expect.any(String) },
      tags: { $sealed: expect.any(String) },
    });
    expect(vault.sealed).toBe(2);
    expect(await codec.decode(recorded(stored))).toMatchObject({
      id: event.id,
      type: 'CommentRecorded',
      stream: cause.stream,
      data,
    });
    expect(vault.sealed).toBe(2);
  });

  it('binds text to its field, its event and its key', async () => {
    const codec = createCodec([Commented], new TransparentVault());
    const stored = recorded(await codec.encode(Commented.create(data, cause)));
    const sealed = stored.data as Record<string, Json>;
    const forged: RecordedEvent[] = [
      { ...stored, data: { ...sealed, comment: sealed['tags']! } },
      { ...stored, id: '00000000-0000-8000-8000-000000000000' },
      { ...stored, metadata: { ...stored.metadata, key: 'R.2' } },
    ];
    for (const event of forged) {
      await expect(codec.decode(event)).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });
    }
  });

  it('reads erased and redacted text as null', async () => {
    const vault = new TransparentVault();
    const codec = createCodec([Commented], vault);
    const gone = { request_id: 'R.1', comment: null, tags: null };
    const stored = recorded(await codec.encode(Commented.create(data, cause)));
    await vault.erase('R.1');
    expect((await codec.decode(stored))!.data).toEqual(gone);
    const redacted = await codec.encode(Commented.create(data, cause, { redact: true }));
    expect(redacted.data).toEqual(gone);
    expect((await codec.decode(recorded(redacted)))!.data).toEqual(gone);
  });

  it('marks as sealed what it has no key for, and nothing else, also after a change of names', async () => {
    const Told = defineEvent(
      'feedback',
      'CommentRecorded',
      {
        request_id: z.string(),
        text: z.string(),
        tags: z.array(z.string()),
        note: z.string().nullable().default(null),
      },
      {
        version: 2,
        freeText: ['text', 'tags', 'note'],
        upcasts: { 1: ({ comment, ...rest }) => ({ ...rest, text: comment! }) },
      },
    );
    const vault = new TransparentVault();
    const [text, tags] = await Promise.all([vault.seal('R.1', '"a"', 'x'), vault.seal('R.1', '["b"]', 'x')]);
    const stored = recorded(await createCodec([Commented], vault).encode(Commented.create(data, cause)));
    const read = async (event: RecordedEvent, of = [Told]) =>
      (await createDecoder(of as never, NO_KEYS).decode(event))?.data;

    expect(await read(stored)).toMatchObject({ request_id: 'R.1', text: SEALED_TEXT, tags: SEALED_TEXT });
    expect(await createDecoder([Commented], NO_KEYS).decode(stored)).toMatchObject({ isSealed: true });
    expect(await createDecoder([Commented], vault).decode(stored)).not.toHaveProperty('isSealed');
    const present = { request_id: 'R.1', text: { ...text }, tags: null };
    const metadata = { ...stored.metadata, version: 2 };
    expect(await read({ ...stored, metadata, data: present })).toEqual({
      request_id: 'R.1',
      text: SEALED_TEXT,
      tags: null,
      note: null,
    });
    const redacted = { request_id: 'R.1', comment: null, tags: { ...tags } };
    expect(await read({ ...stored, data: redacted })).toMatchObject({ text: null, tags: SEALED_TEXT });
  });

  it('raises older versions step by step to the present one', async () => {
    const Now = defineEvent(
      'feedback',
      'CommentRecorded',
      { id: z.string(), comment: z.string(), words: z.int() },
      {
        version: 3,
        freeText: ['comment'],
        upcasts: {
          1: ({ request_id, comment }) => ({ id: request_id!, comment: comment! }),
          2: (old) => ({ ...old, words: 0 }),
        },
      },
    );
    const vault = new TransparentVault();
    const old = recorded(await createCodec([Commented], vault).encode(Commented.create(data, cause)));
    const codec = createCodec([Now], vault);
    expect((await codec.decode(old))!.data).toEqual({ id: 'R.1', comment: data.comment, words: 0 });
    const tooOld = { ...old, metadata: { ...old.metadata, version: 0 } };
    await expect(codec.decode(tooOld)).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });
  });

  it('passes over a type that the catalogue lacks, and refuses to write one', async () => {
    const vault = new TransparentVault();
    const stored = await createCodec([Commented], vault).encode(Commented.create(data, cause));
    const codec = createCodec([], vault);
    expect(await codec.decode(recorded(stored))).toBeUndefined();
    const event: DomainEvent<string, unknown> = Commented.create(data, cause);
    await expect(codec.encode(event)).rejects.toBeInstanceOf(TypeError);
  });

  it('refuses stored data that does not fit its schema', async () => {
    const codec = createCodec([Commented], new TransparentVault());
    const stored = recorded(await codec.encode(Commented.create(data, cause)));
    await expect(codec.decode({ ...stored, data: { request_id: 1 } })).rejects.toBeInstanceOf(z.ZodError);
  });
});
