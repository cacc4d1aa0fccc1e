import { isUtf8 } from 'node:buffer';

/**
 * The text of a table in the usual encodings: UTF-8, UTF-16 with its byte-order mark, or else Windows-1252, which Excel
 * often writes. Trading must not import from the knowledge base, so that has a decoder of its own.
 */
export function tableText(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  const utf16 = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : null;
  return new TextDecoder(utf16 ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')).decode(bytes);
}
