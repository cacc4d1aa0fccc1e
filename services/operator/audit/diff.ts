export async function diff(
  _stream: string,
  _options: { at: string; and?: string; json?: true },
): Promise<void> {
  throw new Error('to be written');
}
