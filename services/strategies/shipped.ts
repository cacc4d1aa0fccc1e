import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath, URL } from 'node:url';
import buyAndHold from '../../examples/strategies/buy-and-hold.ts';
import meanReversion from '../../examples/strategies/mean-reversion.ts';
import momentum from '../../examples/strategies/momentum.ts';
import type { Strategy } from '../../actors/strategy/port.ts';

/** The strategies that are part of the product, by name (see `SHIPPED_NAMES`). They are trusted. */
const SHIPPED: Readonly<Record<string, Strategy>> = {
  momentum,
  'mean-reversion': meanReversion,
  'buy-and-hold': buyAndHold,
};

/** A strategy of the product with its file, and with the hash that it would have as a file named by its path. */
export function shippedStrategy(name: string): {
  readonly strategy: Strategy;
  readonly file: string;
  readonly hash: string;
} {
  const file = fileURLToPath(new URL(`../../examples/strategies/${name}.ts`, import.meta.url));
  const files = [[`${name}.ts`, readFileSync(file, 'utf8')]];
  return { strategy: SHIPPED[name]!, file, hash: hash('sha256', JSON.stringify(files), 'hex') };
}
