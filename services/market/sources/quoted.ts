/** A quotation of at most 30 characters of foreign text, safe in a log. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 30 ? `${text.slice(0, 30)}…` : text);
}
