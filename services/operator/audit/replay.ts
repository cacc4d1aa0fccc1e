import type { Selection } from './commands.ts';

export async function replay(
  _options: Selection & { speed: number; asFast?: true; toSubject?: string; text?: true },
): Promise<void> {
  throw new Error('to be written');
}
