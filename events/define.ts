import { hash } from 'node:crypto';
import { z } from 'zod';
import { Recent } from './bounded-map.ts';
import { BelegError, isBelegError } from './errors.ts';
import { deterministicId, type Json } from './json.ts';
import type { EventMetadata, NewEvent, RecordedEvent } from './store/store.ts';
import {
  KeyUnavailable,
  UnopenableText,
  type KeyReader,
  type Sealed,
  type SealedText,
  type Vault,
} from './vault/vault.ts';

type Shape = z.ZodRawShape;
type Data<S extends Shape> = z.output<z.ZodObject<S>>;

/** Free-text fields read as `null` once they are redacted or erased; all other fields are always there. */
type Readable<D, Free extends PropertyKey> = { [K in keyof D]: K extends Free ? D[K] | null : D[K] };

export interface EventDefinition<Type extends string, S extends Shape, Free extends keyof Data<S> & string> {
  readonly type: Type;
  readonly context: string;
  readonly version: number;
  readonly freeText: readonly Free[];
  readonly schema: z.ZodObject<S>;
  /** `upcasts[n]` turns the data of version n into that of version n + 1. */
  readonly upcasts: Readonly<Record<number, Upcast>>;
  /** NATS subject of this event for one stream: `beleg.v1.evt.<context>.<event>.<hash of the stream>`. */
  subject(stream: string): string;
  /**
   * Creates an event: validates its data and adds id, stream and metadata. Pure. `redact` drops free text before it
   * goes anywhere.
   */
  create(
    data: Data<S>,
    cause: EventCause,
    options?: { redact?: boolean },
  ): DomainEvent<Type, Readable<Data<S>, Free>>;
}

/** The cause of an event, and its number among the events of that call. The event's id is derived from both. */
export interface EventCause {
  stream: string;
  /** ISO 8601, from the injected clock. */
  at: string;
  /** Request id. */
  correlationId: string;
  /** The id of the call. Each HTTP request has its own, even if a request id is repeated. */
  causationId: string;
  /** The span of the call in W3C format, if it is traced. */
  traceparent?: string | undefined;
  /** The number of this event among the events of one type in one call: 0, 1, 2 … */
  ordinal?: number;
  /** The name of the vault key that encrypts the event's free text. Each request has one key. */
  key: string;
}

/** An event with its text decrypted, as deciders and projections see it. */
export interface DomainEvent<Type extends string = string, D = Json> {
  readonly id: string;
  readonly type: Type;
  readonly data: D;
  readonly stream: string;
  readonly metadata: EventMetadata;
  /**
   * Set if some of the event's text is shown as `SEALED_TEXT`. The text alone does not show this, because a user could
   * have written the same.
   */
  readonly isSealed?: true;
  /**
   * Set if some of the event's text can no longer be decrypted although nobody erased it. This text reads as `null`.
   */
  readonly isLost?: true;
}

type Upcast = (data: Record<string, Json>) => Record<string, Json>;

export type EventOf<Def> =
  Def extends EventDefinition<infer Type, infer S, infer Free>
    ? DomainEvent<Type, Readable<Data<S>, Free>>
    : never;

/** An event as it is decided on: without id, stream and time, which `create` of its definition adds. */
export type EventDraft<Def> =
  Def extends EventDefinition<infer Type, infer S, infer _Free>
    ? { readonly type: Type; readonly data: Data<S> }
    : never;

/**
 * Defines an event: its type, codec, context, NATS subject and upcasts, and which of its fields are free text
 * (encrypted in every store, `null` if redacted or erased).
 *
 * @example
 * const CommentRecorded = defineEvent(
 *   'feedback',
 *   'CommentRecorded',
 *   { request_id: z.string(), comment: z.string() },
 *   { freeText: ['comment'] },
 * );
 */
export function defineEvent<
  const Type extends string,
  S extends Shape,
  const Free extends keyof Data<S> & string = never,
>(
  context: string,
  type: Type,
  data: S,
  options: {
    version?: number;
    freeText?: readonly Free[];
    upcasts?: Readonly<Record<number, Upcast>>;
  } = {},
): EventDefinition<Type, S, Free> {
  const { version = 1, freeText = [], upcasts = {} } = options;
  const schema = z.strictObject(data);
  const kebab = type.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (c) => `-${c}`).toLowerCase();
  return {
    type,
    context,
    version,
    freeText,
    schema,
    upcasts,
    subject: (stream) => `beleg.v1.evt.${context}.${kebab}.${streamHash(stream)}`,
    create(data, cause, options = {}) {
      const parsed = schema.parse(data) as Record<string, unknown>;
      if (options.redact === true) for (const field of freeText) parsed[field] = null;
      return {
        id: deterministicId(cause.stream, cause.causationId, type, cause.ordinal ?? 0),
        type,
        data: parsed as Readable<Data<S>, Free>,
        stream: cause.stream,
        metadata: {
          at: cause.at,
          version,
          $correlationId: cause.correlationId,
          $causationId: cause.causationId,
          ...(cause.traceparent === undefined ? {} : { traceparent: cause.traceparent }),
          ...(freeText.some((field) => parsed[field] !== null) ? { key: cause.key } : {}),
        },
      };
    },
  };
}

/** A lower-case hash of a stream's name. Request ids may have dots and capitals, which subjects may not. */
export function streamHash(stream: string): string {
  let hashed = hashes.get(stream);
  if (hashed === undefined) hashes.set(stream, (hashed = hash('sha256', stream, 'hex').slice(0, 32)));
  return hashed;
}
/** The hashes of the streams that were used last, since most events follow others of their stream. */
const hashes = new Recent<string, string>(1_000);

// What every definition has in common, whatever its data.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyEventDefinition = EventDefinition<string, any, any>;

export interface Codec {
  /**
   * Encrypts free text. Call it once and keep the result, because a retry must send identical bytes. `keys` are used
   * instead of the vault's.
   */
  encode(event: DomainEvent<string, unknown>, keys?: Pick<Vault, 'seal'>): Promise<NewEvent>;
  /**
   * Encrypts an event again with the vault's keys, if it was encrypted with other keys. If the text of its request has
   * been erased meanwhile, the text is dropped. Any other failure of the vault rejects as in `encode`.
   */
  sealAnew(event: NewEvent, keys: KeyReader): Promise<NewEvent>;
  /**
   * Reads an event: upcasts, decrypts free text (`null` if erased), validates. `undefined` for a type that is not in
   * the catalogue.
   */
  decode(event: RecordedEvent): Promise<DomainEvent<string, unknown> | undefined>;
  /** Tells the vault that text under the keys of these events is on record. */
  confirm(events: readonly NewEvent[]): void;
}

/** Shown in place of free text that is encrypted and whose key is not available; `null` is shown for text that is gone. */
export const SEALED_TEXT = '(sealed)';

/** Shown in place of text that was not erased but can no longer be decrypted. */
export const LOST_TEXT = '(key missing)';

/** The codec of a catalogue. It converts readable events to stored ones and back. */
export function createCodec(
  definitions: readonly AnyEventDefinition[],
  vault: Pick<Vault, 'open' | 'seal' | 'confirm'>,
): Codec {
  const byType = byTypeOf(definitions);
  return {
    ...createDecoder(definitions, vault),

    async encode(event, keys = vault) {
      const definition = byType.get(event.type);
      if (definition === undefined) throw new TypeError(`event type not in the catalogue: ${event.type}`);
      const data = { ...(event.data as Record<string, Json>) };
      for (const field of definition.freeText as readonly string[]) {
        const value = data[field];
        if (value === null || value === undefined) continue;
        const sealed = await keys.seal(event.metadata.key!, JSON.stringify(value), contextOf(event, field));
        data[field] = { $sealed: sealed.$sealed };
      }
      return { id: event.id, type: event.type, data, metadata: event.metadata };
    },

    async sealAnew(event, keys) {
      const { key, ...metadata } = event.metadata;
      if (key === undefined) return event;
      const data = { ...(event.data as Record<string, Json>) };
      const fields = sealedFields(event);
      try {
        for (const [field, sealed] of fields) {
          const context = contextOf(event, field);
          const text = await keys.open(key, sealed, context);
          data[field] = text === null ? null : { ...(await vault.seal(key, text, context)) };
        }
        return { ...event, data };
      } catch (error) {
        if (!isBelegError(error, 'REQUEST_ERASED')) throw error;
        for (const [field] of fields) data[field] = null;
        return { ...event, data, metadata };
      }
    },

    confirm(events) {
      for (const key of new Set(events.map((event) => event.metadata.key))) {
        if (key !== undefined) vault.confirm(key);
      }
    },
  };
}

/**
 * The reading half of a codec. Text that can no longer be decrypted, although nobody erased it, reads like erased text,
 * and the event is marked `isLost`, so that one lost key stops nobody.
 *
 * If the key of an event is not available here, each encrypted free-text field reads as `SEALED_TEXT`, whatever its
 * type. This is for people and for programs that pass events on, not for deciders.
 */
export function createDecoder(
  definitions: readonly AnyEventDefinition[],
  keys: KeyReader,
): Pick<Codec, 'decode'> {
  const byType = byTypeOf(definitions);
  return {
    async decode(event) {
      const definition = byType.get(event.type);
      if (definition === undefined) return undefined;
      const opened: Record<string, Json> = {};
      let atHand = true;
      let isLost = false;
      for (const [field, sealed] of sealedFields(event)) {
        const opening = keys.open(keyOf(event), sealed, contextOf(event, field));
        const text = await opening.catch((error: unknown) => {
          if (error instanceof KeyUnavailable) return undefined;
          if (!(error instanceof UnopenableText)) throw error;
          isLost = true;
          return null;
        });
        atHand &&= text !== undefined;
        opened[field] = text === null || text === undefined ? null : (JSON.parse(text) as Json);
      }
      return read(definition, event, opened, { atHand, isLost });
    },
  };
}

/** The name of the key that the event's text is encrypted with. */
function keyOf({ metadata }: NewEvent): string {
  if (typeof metadata.key === 'string') return metadata.key;
  throw new BelegError('STREAM_CORRUPT', { detail: 'sealed text does not say which key it is sealed with' });
}

/** Whether text of an event is not there any more, because it was erased or its key was lost. */
export const isTextGone = ({ data }: DomainEvent<string, unknown>, stored: RecordedEvent): boolean =>
  sealedFields(stored).some(([field]) => (data as Record<string, Json>)[field] === null);

/** An event's data for people, with lost text told from erased text. */
export function tellLost({ data, isLost }: DomainEvent<string, unknown>, stored: RecordedEvent): Json {
  if (isLost !== true) return data as Json;
  const lost = sealedFields(stored).filter(([field]) => (data as Record<string, Json>)[field] === null);
  return {
    ...(data as Record<string, Json>),
    ...Object.fromEntries(lost.map(([field]) => [field, LOST_TEXT])),
  };
}

/** Decodes synchronously and without keys, for callers that do not need free text. */
export function createSealedDecoder(
  definitions: readonly AnyEventDefinition[],
): (event: RecordedEvent) => DomainEvent<string, unknown> | undefined {
  const byType = byTypeOf(definitions);
  return (event) => {
    const definition = byType.get(event.type);
    if (definition === undefined) return undefined;
    const unopened: Record<string, null> = {};
    const sealed = sealedFields(event);
    for (const [field] of sealed) unopened[field] = null;
    return read(definition, event, unopened, { atHand: sealed.length === 0, isLost: false });
  };
}

/** The first encrypted text of an event. */
export function sealedTextOf(event: RecordedEvent): SealedText | undefined {
  const [first] = sealedFields(event);
  return first && { sealed: first[1], context: contextOf(event, first[0]) };
}

/** The context that a field's text is encrypted for, so that it cannot be moved to another event or field. */
const contextOf = ({ id }: Pick<NewEvent, 'id'>, field: string): string => `${id}/${field}`;

function sealedFields({ data }: NewEvent): [string, Sealed][] {
  // Events of other programs, and damaged ones, may have no data.
  const fields = (data ?? {}) as Record<string, Json>;
  const sealed: [string, Sealed][] = [];
  // Every event that is read passes here, and few have encrypted fields.
  for (const field of Object.keys(fields)) {
    const value = fields[field];
    if (isSealed(value)) sealed.push([field, value]);
  }
  return sealed;
}

function read(
  definition: AnyEventDefinition,
  event: RecordedEvent,
  opened: Readonly<Record<string, Json>>,
  { atHand, isLost }: { atHand: boolean; isLost: boolean },
): DomainEvent<string, unknown> {
  let data = { ...(event.data as Record<string, Json>), ...opened };
  for (let version = event.metadata.version; version < definition.version; version++) {
    const upcast = definition.upcasts[version];
    if (upcast === undefined) {
      throw new BelegError('STREAM_CORRUPT', {
        detail: `no upcast from version ${version} of ${event.type}`,
      });
    }
    data = upcast(data);
  }
  const parsed = readable(definition).parse(data) as Record<string, unknown>;
  if (!atHand) markSealed(parsed, definition, event.data as Record<string, Json>);
  return {
    id: event.id,
    type: event.type,
    data: parsed,
    stream: event.stream,
    metadata: event.metadata,
    ...(atHand ? {} : { isSealed: true }),
    ...(isLost ? { isLost: true } : {}),
  };
}

/**
 * Marks the encrypted text of an event. An event has one key, so either all of its text can be decrypted or none. An
 * upcast may have renamed fields.
 */
function markSealed(
  read: Record<string, unknown>,
  definition: AnyEventDefinition,
  stored: Readonly<Record<string, Json>>,
): void {
  const freeText = definition.freeText as readonly string[];
  const renamed = Object.keys(stored).some((name) => isSealed(stored[name]) && !freeText.includes(name));
  for (const field of freeText) {
    if (isSealed(stored[field]) || (renamed && read[field] === null && !(field in stored))) {
      read[field] = SEALED_TEXT;
    }
  }
}

function byTypeOf(definitions: readonly AnyEventDefinition[]): ReadonlyMap<string, AnyEventDefinition> {
  return new Map(definitions.map((definition) => [definition.type, definition]));
}

const readableSchemas = new WeakMap<AnyEventDefinition, z.ZodType>();

/** The schema for reading, in which free text may be `null`. */
function readable(definition: AnyEventDefinition): z.ZodType {
  let schema = readableSchemas.get(definition);
  if (schema === undefined) {
    const shape = { ...(definition.schema.shape as Record<string, z.ZodType>) };
    for (const field of definition.freeText as readonly string[]) shape[field] = shape[field]!.nullable();
    schema = z.strictObject(shape);
    readableSchemas.set(definition, schema);
  }
  return schema;
}

function isSealed(value: Json | undefined): value is { $sealed: string } {
  return (
    typeof value === 'object' && value !== null && '$sealed' in value && typeof value.$sealed === 'string'
  );
}
