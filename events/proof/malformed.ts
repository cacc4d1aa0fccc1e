/** What was read is no note, checkpoint or key by its specification. The message quotes nothing of it. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

/** `undefined` unless it is base64 as it must be written: padded, and nothing in the bits that are left over. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
