import type { Selection } from './commands.ts';

export async function exportRecord(_options: Selection & { out: string; json?: true }): Promise<void> {
  throw new Error('to be written');
}
