import type { Selection } from './commands.ts';

export async function tail(
  _options: Selection & { text?: true; json?: true; follow: boolean },
): Promise<void> {
  throw new Error('to be written');
}
