/** The text is not a valid note, checkpoint or key. The message does not quote the text. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

/**
 * The bytes of a base64 text; `undefined` unless the text has the only valid form: padded, with zeros in the unused
 * bits.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
