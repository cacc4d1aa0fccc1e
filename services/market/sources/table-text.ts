import { decodeAny } from '../../../kb/text/decode.ts';
import { SourceFaults } from './source.ts';

/**
 * The text of a table, or of a file beside tables, with a line feed at each line's end.
 * The encoding is recognised from the bytes.
 *
 * @param name of the file, for the fault; absent if the caller names it.
 * @throws {SourceFaults} for bytes that are no text.
 */
export function tableText(bytes: Uint8Array, name?: string): string {
  const text = decodeAny(bytes);
  if (text !== undefined) return text;
  throw new SourceFaults([`${name === undefined ? '' : `${name}: `}is not text: save it as CSV in UTF-8`]);
}
