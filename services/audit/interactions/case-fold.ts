/** Text as it is compared in any case: `Straße`, `STRASSE` and `STRAẞE` are one, and `ü` is, however it is composed. */
export function caseFold(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase();
}
