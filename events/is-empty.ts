/** Whether an object has no members, as most objects by ticker in a session. `Object.keys` takes several times as long. */
export function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}
