/** The text is no note, checkpoint or key by its specification. The message does not quote it. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

/** `undefined` unless it is base64 in its only valid form: padded, with zeros in the unused bits. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
