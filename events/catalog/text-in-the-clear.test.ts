import { expect, test } from 'vitest';
import { z } from 'zod';
import { CATALOG } from './catalog.ts';

/** Ids, names and codes: nobody writes text of their own into these. */
const NAMES = new Set(
  `request_id order_id trade_id update_id run weights index dataset ticker tickers[] account currency cursor code model
  citations[] conflict_ids[][] provider position linked_to exit_of`.split(/\s+/),
);

/** Text that is not about a person: the system's own words, an operator's, or the name of a data source. */
const TEXTS = [
  'ErasureRequested.reason',
  'RecordCheckpointed.note',
  'RecordCheckpointed.heads[].stream',
  'PaperOrderCancelled.reason',
  'PaperOrderRejected.reason',
  'DraftVerified.failures[].rule',
  'IndexBuilt.built_at',
  'PassagesRetrieved.hits[].id',
  'MarketSourceTaken.source',
  'MarketUpdateStarted.source',
  'TickerUpdateFailed.faults[]',
  'TickerUpdated.warnings[].date',
  'TickerUpdated.warnings[].kind',
  'TickerUpdated.warnings[].detail',
  'TrainingFailed.fault',
  'TrainingFailed.detail',
  'TrainingStarted.settings.features[]',
  'TrainingStarted.source',
  'DiscrepancyFound.detail',
  'OrderCancelled.reason',
  'OrderRejected.reason',
  'TradingHalted.detail',
  'OrderSubmitted.strategy.hash',
  'OrderSubmitted.strategy.name',
  'OrderSubmitted.strategy.reason',
  'StrategyDecided.cancels[]',
  'StrategyDecided.orders[].reason',
  'StrategyDecided.strategy',
  'StrategyDecided.targets[].reason',
  'StrategyDecided.unmet[].reason',
  'StrategyHalted.detail',
  'StrategyHalted.strategy',
  'StrategyOrderRefused.reason',
  'StrategyOrderRefused.strategy',
  'StrategyStarted.strategy',
  'StrategyStopped.strategy',
  'StrategyTaken.hash',
  'StrategyTaken.source',
  'StrategyTaken.strategy',
  // For a strategy: names, hashes and words of its operator.
];

type Schema = Pick<z.core.JSONSchema.JSONSchema, 'type' | 'enum' | 'format' | 'pattern' | 'const'> & {
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
};

/** The paths that may have any text. */
function textsIn(schema: Schema, path: string): string[] {
  const { anyOf = [], properties = {}, items, additionalProperties: others } = schema;
  const isAny = [schema.enum, schema.format, schema.pattern, schema.const].every(
    (limit) => limit === undefined,
  );
  return [
    ...(schema.type === 'string' && isAny ? [path] : []),
    ...anyOf.flatMap((one) => textsIn(one, path)),
    ...Object.entries(properties).flatMap(([name, one]) => textsIn(one, `${path}.${name}`)),
    ...(items === undefined ? [] : textsIn(items, `${path}[]`)),
    ...(typeof others === 'object' ? textsIn(others, `${path}{}`) : []),
  ];
}

test('text that is recorded in the clear is none of a person: all other text is declared as free text, which can be erased', () => {
  const clear = CATALOG.flatMap(({ type, schema, freeText }) => {
    const { properties = {} } = z.toJSONSchema(schema, { unrepresentable: 'any' }) as Schema;
    const free = freeText as readonly string[];
    return Object.entries(properties).flatMap(([name, one]) =>
      free.includes(name) ? [] : textsIn(one, `${type}.${name}`),
    );
  });
  const others = new Set(clear.filter((path) => !NAMES.has(path.slice(path.lastIndexOf('.') + 1))));
  expect([...others].toSorted()).toEqual(TEXTS.toSorted());
});
