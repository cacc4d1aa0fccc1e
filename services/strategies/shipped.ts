import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath, URL } from 'node:url';
import buyAndHold from '../../examples/strategies/buy-and-hold.ts';
import meanReversion from '../../examples/strategies/mean-reversion.ts';
import momentum from '../../examples/strategies/momentum.ts';
import type { Strategy } from '../../actors/strategy/port.ts';

/** By their names (`SHIPPED_NAMES`). They are part of the product, so they are trusted. */
const SHIPPED: Readonly<Record<string, Strategy>> = {
  momentum,
  'mean-reversion': meanReversion,
  'buy-and-hold': buyAndHold,
};

/** A shipped strategy with its file, and the hash that the file has where it is named by its path. */
export function shippedStrategy(name: string): {
  readonly strategy: Strategy;
  readonly file: string;
  readonly hash: string;
} {
  const file = fileURLToPath(new URL(`../../examples/strategies/${name}.ts`, import.meta.url));
  const files = [[`${name}.ts`, readFileSync(file, 'utf8')]];
  return { strategy: SHIPPED[name]!, file, hash: hash('sha256', JSON.stringify(files), 'hex') };
}
