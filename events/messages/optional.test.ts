import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CommentRequest, RatingRequest } from './feedback.ts';
import { AskRequest } from './knowledge.ts';
import { TrainModel } from './models.ts';
import { OrderRequest } from './trading.ts';

const computation = { label: 'Brutto', result: '1 €' };
const ask = { question: 'Was?' };
const order = { ticker: 'AAPL', action: 'buy', quantity: 1 };

/** A request and its smallest body; each field that the schema has besides may be `null`. */
const SMALLEST: [string, z.ZodType, object][] = [
  ['ask', AskRequest, ask],
  ['rating', RatingRequest, { request_id: 'r', rating: 'up' }],
  ['comment', CommentRequest, { request_id: 'r', comment: 'c' }],
  ['order', OrderRequest, order],
  ['training', TrainModel.request, {}],
];

test.each(SMALLEST)('null for what is optional is the same as nothing: %s', (_name, schema, smallest) => {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  const nulls = Object.keys(properties)
    .filter((field) => !required.includes(field))
    .map((field) => [field, null] as const);
  const given = (body: unknown) =>
    Object.entries(schema.parse(body) as object).filter(([, value]) => value !== undefined && value !== null);
  expect(given({ ...smallest, ...Object.fromEntries(nulls) })).toEqual(given(smallest));
});

test('what is required may not be null', () => {
  for (const [, schema, smallest] of SMALLEST) {
    for (const field of Object.keys(smallest)) {
      expect(schema.safeParse({ ...smallest, [field]: null }).success).toBe(false);
    }
  }
});

const read = (context: unknown) => AskRequest.parse({ ...ask, mode: 'review', context }).context;

describe('the context of a review', () => {
  test('takes null at every depth', () => {
    expect(read({ facts: null, computation: null })).toEqual({});
    expect(read({ computation: { ...computation, basis: null, components: null } })).toEqual({ computation });
    expect(read({ facts: [{ key: 'stundenlohn', value: '12 €', note: null }] })).toEqual({
      facts: [{ key: 'stundenlohn', value: '12 €' }],
    });
  });

  test.each(['', '  ', null])('a fact without a value (%j) is not given', (value) => {
    const facts = [
      { key: 'urlaubstage', value },
      { key: 'stundenlohn', value: '12 €' },
    ];
    expect(read({ facts })).toEqual({ facts: [facts[1]] });
  });

  test('fields that it does not know are refused as before', () => {
    expect(() => read({ facts: [{ key: 'a', value: '1', name: null }] })).toThrow('name');
  });
});
