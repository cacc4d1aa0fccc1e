import type { TradingSettings } from './settings.ts';

/** What to do if the settings name another source than the account's record; else `null`. */
export function foreignSource(
  { account, source }: Pick<TradingSettings, 'account' | 'source'>,
  recorded: string | null,
): { readonly found: string; readonly advice: string } | null {
  if (recorded === null || recorded === source) return null;
  const own = recorded.startsWith('csv:') ? `csv: and a folder named ${recorded.slice(4)}` : recorded;
  return {
    found: `the account ${account} keeps to its market data, ${recorded}, and cannot go on with ${source}`,
    advice: `set TD_SOURCE to ${own}, or name another account with TD_ACCOUNT`,
  };
}
