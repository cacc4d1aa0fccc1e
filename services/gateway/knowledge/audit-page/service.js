import { send } from '../page/http.js';

/** The service answers within 10 s or says why not; what takes longer has been lost on its way. */
const READ_TIMEOUT_MS = 20_000;
/** As long as the service may take to overwrite freed pages of its files. */
const ERASE_TIMEOUT_MS = 75_000;

/** The operator's key is in this variable and nowhere else. */
let key = '';

export const keyIsGiven = () => key !== '';

export function setKey(value) {
  key = value;
}

/** A page of requests, newest first: `query` as the API takes it; what is empty is left out. */
export function listRequests(query, signal) {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return read(`/v1/audit/interactions?${new URLSearchParams(given)}`, signal);
}

export const showRequest = (id, signal) => read(`/v1/audit/interactions/${encodeURIComponent(id)}`, signal);

export const readRecord = () => read('/v1/audit/record');

export const makeCheckpoint = () => write('/v1/audit/checkpoints', {});

export const eraseText = (request_id, reason) =>
  write('/v1/audit/erasures', { request_id, reason }, AbortSignal.timeout(ERASE_TIMEOUT_MS));

async function read(path, signal) {
  const ended = AbortSignal.timeout(READ_TIMEOUT_MS);
  const either = signal === undefined ? ended : AbortSignal.any([signal, ended]);
  const response = await send(path, { method: 'GET', key, signal: either });
  return response.json();
}

async function write(path, body, signal) {
  const response = await send(path, { body, key, signal });
  return response.json();
}
