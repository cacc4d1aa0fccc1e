/** A word of a broker or a source is let in, a speech of one is not. */
const MAX_REASON = 200;

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** In one line, whatever it was. */
export function brief(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, MAX_REASON);
}
