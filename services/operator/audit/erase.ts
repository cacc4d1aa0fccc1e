export async function erase(_requestIds: string[], _options: { reason: string; json?: true }): Promise<void> {
  throw new Error('to be written');
}
