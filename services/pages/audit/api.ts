import type { z } from 'zod';
import type * as audit from '../../../events/messages/audit.ts';
import { sendForJson } from '../http.ts';

type Interactions = z.output<typeof audit.InteractionPage>;
export type Interaction = Interactions['interactions'][number];
export type Shown = z.output<(typeof audit.ShowInteraction)['reply']>;
export type Entry = Shown['story']['entries'][number];
export type Machine = Shown['story']['machine'];
export type RecordState = z.output<(typeof audit.RecordStatus)['reply']>;
export type Erased = z.output<(typeof audit.Erase)['reply']>;
type Checkpoint = z.output<(typeof audit.MakeCheckpoint)['reply']>;

/** Milliseconds after which an answer counts as lost: the service answers within 10 s, if only with an error. */
const READ_TIMEOUT_MS = 20_000;
/** Milliseconds that the service may need to overwrite freed pages of its files. */
const ERASE_TIMEOUT_MS = 75_000;

/** The operator's key is stored nowhere but in this variable. */
let key = '';

export const keyIsGiven = (): boolean => key !== '';

export function setKey(value: string): void {
  key = value;
}

/** A page of requests, newest first; empty parts of the query are left out. */
export function listRequests(
  query: Readonly<Record<string, string | number | boolean>>,
  signal: AbortSignal,
): Promise<Interactions> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === '' ? [] : [[name, String(value)]],
  );
  return read(`/v1/audit/interactions?${new URLSearchParams(given)}`, signal);
}

export const showRequest = (id: string, signal: AbortSignal): Promise<Shown> =>
  read(`/v1/audit/interactions/${encodeURIComponent(id)}`, signal);

export const readRecord = (signal: AbortSignal): Promise<RecordState> => read('/v1/audit/record', signal);

export const makeCheckpoint = (): Promise<Checkpoint> =>
  sendForJson('/v1/audit/checkpoints', { body: {}, key });

export const eraseText = (request_id: string, reason: string): Promise<Erased> =>
  sendForJson('/v1/audit/erasures', {
    body: { request_id, reason },
    key,
    signal: AbortSignal.timeout(ERASE_TIMEOUT_MS),
  });

const read = <T>(path: string, signal: AbortSignal): Promise<T> =>
  sendForJson(path, {
    method: 'GET',
    key,
    signal: AbortSignal.any([signal, AbortSignal.timeout(READ_TIMEOUT_MS)]),
  });
