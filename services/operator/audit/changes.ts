import { canonicalJson, type Json } from '../../../events/json.ts';

/** One difference between two states. */
export type Change =
  | { readonly kind: 'added'; readonly path: string; readonly to: Json }
  | { readonly kind: 'removed'; readonly path: string; readonly from: Json }
  | { readonly kind: 'changed'; readonly path: string; readonly from: Json; readonly to: Json };

type Members = { readonly [name: string]: Json };

/** What is different, by path, in the order of the members. Lists are looked at as a whole, things by their names. */
export function changesBetween(from: Json, to: Json, path = ''): Change[] {
  if (!isObject(from) || !isObject(to)) {
    return canonicalJson(from) === canonicalJson(to) ? [] : [{ kind: 'changed', path, from, to }];
  }
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...names].flatMap((name): Change[] => {
    const at = path === '' ? name : `${path}.${name}`;
    if (!Object.hasOwn(from, name)) return [{ kind: 'added', path: at, to: to[name]! }];
    if (!Object.hasOwn(to, name)) return [{ kind: 'removed', path: at, from: from[name]! }];
    return changesBetween(from[name]!, to[name]!, at);
  });
}

const isObject = (value: Json): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
