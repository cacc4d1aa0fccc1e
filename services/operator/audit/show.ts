export async function show(_id: string, _options: { json?: true }): Promise<void> {
  throw new Error('to be written');
}
