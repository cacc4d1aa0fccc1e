import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { listErrors } from '../../../events/error-codes.ts';
import { OrderRequest } from '../../../events/messages/trading.ts';
import { ENDPOINT_NAMES, ENDPOINTS, ORDER, startDashboard, type Dashboard } from './dashboard.suite.ts';
import { DASHBOARD_API } from './dashboard-document.ts';
import { TRADING_STATUS } from './dashboard-examples.ts';
import { SOCKET_ERRORS } from './socket/errors.ts';

interface Operation {
  summary: string;
  security: Record<string, string[]>[];
  parameters: { in: string; name: string; schema: Record<string, unknown> }[];
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
  responses: Record<string, { description: string; content: Record<string, { schema: JsonSchema }> }>;
}
type JsonSchema = Record<string, unknown>;
interface Document {
  openapi: string;
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: object };
}

const NAMED = { ...DASHBOARD_API.requests, ...DASHBOARD_API.replies, Problem: true };

let dashboard: Dashboard;
let document: Document;
beforeAll(async () => {
  dashboard = await startDashboard();
  document = (await dashboard.app.inject('/openapi.json')).json<Document>();
});
afterAll(() => dashboard.app.close());

/** A validator from a schema of the document, whose references point to the document's components. */
function validator(schema: JsonSchema, schemas = document.components.schemas): z.ZodType {
  const local = JSON.stringify({ ...schema, $defs: schemas });
  return z.fromJSONSchema(
    JSON.parse(local.replaceAll('#/components/schemas/', '#/$defs/')) as z.core.JSONSchema.JSONSchema,
  );
}

/** The schemas without `additionalProperties`, so that an undocumented field is an error. */
function closedSchemas(): Record<string, JsonSchema> {
  const { schemas } = document.components;
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      'properties' in schema ? { ...schema, additionalProperties: false } : schema,
    ]),
  );
}

function operationOf(endpoint: keyof typeof ENDPOINTS): Operation {
  return document.paths[endpoint]![ENDPOINTS[endpoint].toLowerCase()]!;
}

test('says of each change without fields that it needs no body, and both are taken', async () => {
  const { requestBody, description } = operationOf('/api/data/update') as {
    requestBody?: object;
    description?: string;
  };
  expect([requestBody, description]).toEqual([
    undefined,
    expect.stringContaining('needs no body; `{}` may be sent'),
  ]);
  const headers = { 'content-type': 'application/json' };
  for (const body of [{}, { headers, payload: '{}' }])
    expect(
      (await dashboard.app.inject({ method: 'POST', url: '/api/data/update', ...body })).statusCode,
    ).toBe(200);
});

test('describes every path and no other, with the keys that open it', async () => {
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths).sort()).toEqual(
    ['/actors', '/api/reports/{id}', ...ENDPOINT_NAMES].sort(),
  );
  expect(document.paths['/actors']!['get']!.security).toEqual([{ tradeKey: [] }]);
  for (const endpoint of ENDPOINT_NAMES) {
    const { security, summary } = operationOf(endpoint);
    const trade = { tradeKey: [] };
    expect(security).toEqual(ENDPOINTS[endpoint] === 'GET' ? [{ readKey: [] }, trade] : [trade]);
    expect(summary).not.toBe('');
  }
});

test.each(ENDPOINT_NAMES)('%s answers with what its schema says, all of it named', async (endpoint) => {
  dashboard.fakes.account.start();
  const { schema } = operationOf(endpoint).responses['200']!.content['application/json']!;
  const reply = (await dashboard.send(endpoint)).json<unknown>();
  // Clients must accept fields that are added later, but all of today's fields are documented.
  const closed = validator(schema, closedSchemas());
  expect(closed.safeParse(reply).error).toBeUndefined();
  const more = Array.isArray(reply) ? [...reply, { ...ORDER, more: 1 }] : { ...(reply as object), more: 1 };
  expect(closed.safeParse(more).success).toBe(false);
  const isTaken = Array.isArray(reply) || validator(schema).safeParse(more).success;
  expect(isTaken).toBe(true);
});

test.each([
  'TradingStatus',
  'Order',
  'ModelStatus',
  'TrainingStarted',
  'TrainingStopped',
  'ModelSaved',
  'ModelLoaded',
  'PipelineStatus',
  'UpdateStarted',
])('%s says which of its fields the contract does not have', async (name) => {
  const contract: Record<string, string[]> = {
    TradingStatus: ['active', 'cash', 'total_value', 'positions', 'orders_count'],
    Order: ['order_id', 'ticker', 'action', 'quantity', 'price', 'timestamp', 'type', 'status'],
    PipelineStatus: ['status', 'tickers_loaded', 'db_path'],
    UpdateStarted: ['status'],
    TrainingStarted: ['status'],
    TrainingStopped: ['status'],
    ModelSaved: ['status'],
    ModelLoaded: ['status'],
    ModelStatus:
      'status training_active device amd_gpu mixed_precision precision model_name hidden_channels num_heads '
        .concat('batch_size epochs sequence_length dropout learning_rate')
        .split(' '),
  };
  const { properties } = document.components.schemas[name] as {
    properties: Record<string, { description?: string }>;
  };
  const added = Object.keys(properties).filter((field) => !contract[name]!.includes(field));
  expect(added.filter((field) => !properties[field]!.description?.startsWith('Extension'))).toEqual([]);
  expect(added.length).toBe(Object.keys(properties).length - contract[name]!.length);
});

test('every schema has an example, and every example is one of its schema', async () => {
  const parts = new Set(
    Object.keys(document.components.schemas).filter((name) => !Object.hasOwn(NAMED, name)),
  );
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    // A schema that only occurs inside others has its examples in those.
    if (parts.has(name)) continue;
    const examples = schema['examples'] as unknown[];
    expect({ name, examples: examples.length > 0 }).toEqual({ name, examples: true });
    for (const example of examples) {
      const { error } = validator({ $ref: `#/components/schemas/${name}` }).safeParse(example);
      expect({ name, error }).toEqual({ name, error: undefined });
    }
  }
});

test('every reference leads somewhere, and every error has the error body and codes of the table', async () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(50);
  expect(references.filter(([, name]) => !Object.hasOwn(document.components.schemas, name!))).toEqual([]);
  const titles = new Map(listErrors().map((error) => [error.code as string, error]));
  for (const endpoint of ENDPOINT_NAMES) {
    for (const [status, { content, description }] of Object.entries(operationOf(endpoint).responses)) {
      if (status === '200') continue;
      expect(Object.keys(content)).toEqual(['application/problem+json']);
      for (const [, code] of description.matchAll(/`([A-Z_]+)`/g)) {
        expect(titles.get(code!)?.status).toBe(Number(status));
      }
    }
  }
  for (const { code } of listErrors()) {
    expect(document.components.schemas['Problem']!['description']).toContain(`\`${code}\``);
  }
});

test('no example has a price of a day that is still to come', () => {
  for (const { price_session } of Object.values(TRADING_STATUS.positions)) {
    expect(price_session <= TRADING_STATUS.session).toBe(true);
  }
});

describe('an order', () => {
  test('is described as it is validated', async () => {
    const { requestBody, responses } = operationOf('/api/trading/order');
    expect(requestBody!.content['application/json']!.schema).toEqual({
      $ref: '#/components/schemas/OrderRequest',
    });
    const schema = document.components.schemas['OrderRequest']!;
    expect(schema).toMatchObject({
      additionalProperties: false,
      required: ['ticker', 'action', 'quantity'],
    });
    for (const example of schema['examples'] as unknown[]) {
      expect(OrderRequest.safeParse(example).success).toBe(true);
    }
    expect(validator(schema).safeParse(ORDER).success).toBe(true);
    expect(validator(schema).safeParse({ ...ORDER, quantity: 0 }).success).toBe(false);
    expect(Object.keys(responses).sort()).toEqual(
      [
        '200',
        '400',
        '401',
        '403',
        '404',
        '405',
        '408',
        '409',
        '413',
        '421',
        '422',
        '429',
        '431',
        '500',
        '503',
      ].sort(),
    );
  });
});

test('limits, tickers and ids are parameters; what has no body shows none', async () => {
  const parameters = (endpoint: keyof typeof ENDPOINTS) =>
    operationOf(endpoint)
      .parameters.filter((parameter) => parameter.in !== 'header')
      .map(({ in: place, name, schema }) => [place, name, schema['type']]);
  expect(parameters('/api/data/prices/{ticker}')).toEqual([
    ['query', 'limit', 'integer'],
    ['path', 'ticker', 'string'],
  ]);
  expect(parameters('/api/trading/cancel/{order_id}')).toEqual([['path', 'order_id', 'string']]);
  expect(operationOf('/api/trading/start').requestBody).toBeUndefined();
});

test('starting a training may have a body, and needs none', async () => {
  expect(operationOf('/api/models/train').requestBody).toEqual({
    required: false,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/TrainRequest' } } },
  });
  const schema = validator(document.components.schemas['TrainRequest']!);
  expect(schema.safeParse({}).success).toBe(true);
  expect(schema.safeParse({ resume: 'no' }).success).toBe(false);
});

test.each<[keyof typeof ENDPOINTS, string[]]>([
  ['/api/models/train', ['ALREADY_TRAINING', 'MODEL_NOT_READY']],
  ['/api/models/train/stop', ['NOT_TRAINING']],
  ['/api/models/save', ['MODEL_NOT_READY']],
  ['/api/models/load', ['WEIGHTS_MISSING', 'WEIGHTS_MISMATCH', 'WEIGHTS_DAMAGED', 'MODEL_NOT_READY']],
  ['/api/models/benchmark', ['ALREADY_TRAINING', 'MODEL_NOT_READY']],
])('%s says how it may be refused', async (endpoint, codes) => {
  const told = Object.values(operationOf(endpoint).responses).map(({ description }) => description);
  for (const code of codes) expect(told.join('\n')).toContain(`\`${code}\``);
});

test('tells of the WebSocket, which the format itself cannot', async () => {
  const { info, components } = document;
  expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(['ClientMessage', 'ServerMessage']));
  for (const code of Object.keys(SOCKET_ERRORS)) expect(info.description).toContain(`\`${code}\``);
});
