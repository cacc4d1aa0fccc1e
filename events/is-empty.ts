/**
 * Whether an object has no members, as most objects of a session have none. `Object.keys` takes several times as long.
 */
export function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}
