import { availableParallelism } from 'node:os';
import { StrategyFault } from './fault.ts';
import type { StrategySource } from './named.ts';
import { openStrategy } from './own-strategy.ts';
import type { Opened } from './run-own-strategies.ts';

interface OpenAllOptions {
  /** Values by the parameter's name, or by `strategy.name` for one of several strategies. */
  readonly parameters: Readonly<Record<string, number>>;
  readonly hasTicker: (ticker: string) => boolean;
  readonly onPrinted: (strategy: string, line: string) => void;
}

/** Opens one strategy again, with its file as it is now. */
export async function openAnew(
  name: string,
  sources: readonly StrategySource[],
  options: OpenAllOptions,
): Promise<Opened | undefined> {
  const source = sources.find((one) => one.name === name);
  return source && openOne(source, sources, options);
}

/**
 * Opens each strategy. A strategy that cannot be loaded is returned with its fault, and the others are opened. If this
 * fails for another reason, none stays open.
 */
export async function openAll(
  sources: readonly StrategySource[],
  options: OpenAllOptions,
): Promise<readonly Opened[]> {
  const opened: Opened[] = [];
  // Each has a limited time to load. If all loaded at once, each would wait for the others for most of it.
  const atOnce = availableParallelism();
  for (let from = 0; from < sources.length; from += atOnce) {
    const next = sources.slice(from, from + atOnce).map((source) => openOne(source, sources, options));
    const settled = await Promise.allSettled(next);
    opened.push(...settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    const failed = settled.find(({ status }) => status === 'rejected');
    if (failed?.status !== 'rejected') continue;
    await closeAll(opened);
    throw failed.reason;
  }
  return opened;
}

async function openOne(
  source: StrategySource,
  { length }: readonly StrategySource[],
  { parameters, hasTicker, onPrinted }: OpenAllOptions,
): Promise<Opened> {
  try {
    const strategy = await openStrategy(source, {
      parameters: parametersOf(source.name, parameters, length === 1),
      hasTicker,
      onPrinted: (line) => onPrinted(source.name, line),
    });
    return { source, strategy };
  } catch (error) {
    if (error instanceof StrategyFault) return { source, fault: error };
    throw error;
  }
}

export async function closeAll(opened: readonly Opened[]): Promise<void> {
  await Promise.all(opened.flatMap((one) => ('strategy' in one ? [one.strategy.close()] : [])));
}

function parametersOf(
  name: string,
  parameters: Readonly<Record<string, number>>,
  isOnly: boolean,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([key, value]) => {
      const [first, second] = key.split('.');
      if (second === undefined) return isOnly ? [[key, value]] : [];
      return first === name ? [[second, value]] : [];
    }),
  );
}
