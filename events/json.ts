import { createHash } from 'node:crypto';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * Canonical JSON (the rules of RFC 8785): members sorted by UTF-16 code units, no white space, numbers as
 * ECMAScript writes them, lone surrogates replaced. Equal values give equal bytes, whoever writes them.
 */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('JSON cannot represent NaN or Infinity');
    return JSON.stringify(value);
  }
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const named = wellNamed(value);
  const members = Object.keys(named)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(named[key] ?? null)}`);
  return `{${members.join(',')}}`;
}

/** Names are mended before they are sorted; of two that become the same the last one stands, as JSON readers take it. */
function wellNamed(value: { readonly [key: string]: Json }): { readonly [key: string]: Json } {
  if (Object.keys(value).every((key) => key.isWellFormed())) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), member]));
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** A deterministic UUID (version 8, RFC 9562) from the SHA-256 of its parts. */
export function deterministicId(...parts: readonly (string | number | bigint)[]): string {
  const hash = createHash('sha256')
    .update(canonicalJson(parts.map(String)))
    .digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
