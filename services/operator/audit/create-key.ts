export async function createKey(_options: { out: string }): Promise<void> {
  throw new Error('to be written');
}
