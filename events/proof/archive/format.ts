import { hash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson, type Json } from '../../json.ts';
import { Count, Hash } from '../../schemas.ts';
import type { StoredEvent } from '../../store/store.ts';
import { Selection } from '../../store/selection.ts';

/** The files of an archive. */
export const EVENTS_FILE = 'events.jsonl';
export const PROOFS_FILE = 'proofs.jsonl';
export const MANIFEST_FILE = 'manifest.json';

const Place = z.strictObject({ index: Count, position: z.string(), at: z.string() });
const File = z.strictObject({ bytes: Count, sha256: Hash });

export const Manifest = z.strictObject({
  format: z.literal('beleg-archive'),
  version: z.literal(1),
  /** Identifies the record: `beleg/` and the beginning of its first event's hash. */
  origin: z.string(),
  selection: Selection,
  events: Count,
  streams: Count,
  first: Place.nullable(),
  last: Place.nullable(),
  checkpoint: z.strictObject({
    size: Count,
    root: Hash,
    /** The checkpoint's signed note (C2SP tlog-checkpoint), as it is in the record. */
    note: z.string(),
    /** SHA-256 of the list of streams that belongs to the checkpoint. */
    heads: Hash,
    /** For information only: a verifier must have the key from another source. */
    public_key: z.string().nullable(),
  }),
  /** The number of events of the record after the checkpoint. They are not in the archive. */
  newer_events: Count,
  /**
   * `log`: the archive has all events up to the checkpoint, and they give its root. `inclusion`: each event has a proof
   * of its place.
   */
  proof: z.enum(['log', 'inclusion']),
  files: z.strictObject({ [EVENTS_FILE]: File, [PROOFS_FILE]: File.optional() }),
});
export type Manifest = z.output<typeof Manifest>;

/** The text of the manifest's file. It contains a hash of its other members, so that a changed byte shows. */
export function formatManifest(given: Manifest): string {
  // The members always have the same order, whoever wrote them.
  const manifest = Manifest.parse(given);
  return `${JSON.stringify({ ...manifest, sha256: manifestHash(manifest) }, null, 2)}\n`;
}

/** Reads a manifest; `undefined` for a text that differs from what `formatManifest` writes. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const { sha256: _, ...fields } = JSON.parse(text) as Record<string, Json>;
    const { data } = Manifest.safeParse(fields);
    return data !== undefined && formatManifest(data) === text ? data : undefined;
  } catch {
    return undefined;
  }
}

function manifestHash(manifest: Manifest): string {
  return hash('sha256', canonicalJson(JSON.parse(JSON.stringify(manifest)) as Json), 'hex');
}

/** An event as it was stored, with its position in the record and the chain hash before it. */
export const ArchivedEvent = z.strictObject({
  data: z.json(),
  hash: Hash,
  id: z.string(),
  /** The index in the Merkle log. */
  index: Count,
  metadata: z.record(z.string(), z.json()),
  position: z.string(),
  previous: Hash,
  revision: Count,
  stream: z.string(),
  type: z.string(),
});
export type ArchivedEvent = z.output<typeof ArchivedEvent>;

/** The line of an event, in canonical form. */
export function formatEvent(event: StoredEvent, index: number, previous: string): string {
  const { data, hash, id, metadata, position, revision, stream, type } = event;
  return `{"data":${data},"hash":"${hash}","id":${JSON.stringify(id)},"index":${index},"metadata":${metadata},"position":"${position}","previous":"${previous}","revision":${revision},"stream":${JSON.stringify(stream)},"type":${JSON.stringify(type)}}\n`;
}

/** The RFC 6962 audit path of an event, from the leaf up; hashes in base64. */
export const ArchivedProof = z.strictObject({ index: Count, proof: z.array(z.string()).max(64) });

export function formatProof(index: number, proof: readonly Uint8Array[]): string {
  return `${JSON.stringify({ index, proof: proof.map((hash) => Buffer.from(hash).toString('base64')) })}\n`;
}

/** Whether a selection takes all events of each of its streams. */
export function hasWholeStreams({ type, from, to }: Selection): boolean {
  return type === undefined && from === undefined && to === undefined;
}

/** True if the selection takes every event. */
export function selectsAll(selection: Selection): boolean {
  return Object.values(selection).every((part) => part === undefined);
}
