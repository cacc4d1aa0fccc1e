import { expect, test } from 'vitest';
import { KeyCache } from './key-cache.ts';

const key = new Uint8Array([1]);

test('a key that is forgotten while it is being read does not enter the cache, and all others do', () => {
  const cache = new KeyCache();
  const { forgotten } = cache;
  cache.forget('a');
  cache.set('a', key, forgotten);
  cache.set('b', key, forgotten);
  expect(cache.get('a')).toBeUndefined();
  expect(cache.get('b')).toBe(key);
  cache.set('a', key, cache.forgotten);
  expect(cache.get('a')).toBe(key);
});

test('nor does it after so many others that it is not noted any more', () => {
  const cache = new KeyCache();
  const { forgotten } = cache;
  for (let n = 0; n < 30_000; n++) cache.forget(`${n}`);
  cache.set('0', key, forgotten);
  expect(cache.get('0')).toBeUndefined();
});

test('no key enters it once it is emptied', () => {
  const cache = new KeyCache();
  const { forgotten } = cache;
  cache.clear();
  cache.set('a', key, forgotten);
  cache.set('b', key, cache.forgotten);
  expect(cache.entries()).toEqual([]);
});
