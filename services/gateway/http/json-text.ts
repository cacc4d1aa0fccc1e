import { BelegError } from '../../../events/errors.ts';

/** Matches the braces of objects, and strings. A string before a colon is a key. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"\s*:?|[{}]/gu;

/**
 * Parses a client's JSON. An object with one key twice is ambiguous and rejected with `INVALID_JSON`.
 *
 * @throws {SyntaxError} for a text that is no JSON.
 */
export function parseJson(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  const objects: Set<unknown>[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{') objects.push(new Set());
    else if (token === '}') objects.pop();
    else if (token.endsWith(':')) {
      const [keys, key] = [objects.at(-1)!, JSON.parse(token.slice(0, -1)) as unknown];
      if (keys.has(key)) throw new BelegError('INVALID_JSON', { detail: 'A key stands twice in one object' });
      keys.add(key);
    }
  }
  return value;
}
