export async function checkpoint(_options: { json?: true }): Promise<void> {
  throw new Error('to be written');
}
