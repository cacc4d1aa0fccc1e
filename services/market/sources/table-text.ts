import { isUtf8 } from 'node:buffer';

/**
 * The text of a table as others save it: UTF-8, UTF-16 with its byte-order mark, or else Windows-1252, which Excel writes on
 * many machines. Trading imports nothing of the knowledge base, so that this is not the decoder of its files.
 */
export function tableText(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  const utf16 = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : null;
  return new TextDecoder(utf16 ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')).decode(bytes);
}
