import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listErrors } from '../../events/error-codes.ts';
import { DASHBOARD_API } from './dashboard/dashboard-document.ts';
import { startDashboard } from './dashboard/dashboard.suite.ts';
import { clean, forClients, type Schema } from './http/client-schemas.ts';
import { startFakeServices } from './knowledge/fake-services.suite.ts';
import { openKnowledgeGateway } from './knowledge/knowledge.ts';
import { KNOWLEDGE_API } from './knowledge/knowledge-document.ts';

interface Operation {
  security?: unknown[];
  responses: Record<string, { headers?: object }>;
}
function expectedHeaders(status: string, hasKey: boolean): string[] {
  const retry = status === '429' || status === '503' ? ['Retry-After'] : [];
  const left = status === '429' && hasKey ? ['X-RateLimit-Remaining'] : [];
  return ['X-Request-ID', ...retry, ...left];
}
interface Document {
  info: { description: string };
  paths: Schema;
  components: { schemas: Record<string, Schema> };
}

const APIS = { knowledge: KNOWLEDGE_API, dashboard: DASHBOARD_API };
const documents = {} as Record<keyof typeof APIS, Document>;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const settings = { apiKeys: [], adminApiKeys: [], allowedHosts: [], rateLimit: null };
  const knowledge = await openKnowledgeGateway(startFakeServices().bus, settings, pino({ level: 'silent' }));
  const { app: dashboard } = await startDashboard();
  for (const [name, app] of Object.entries({ knowledge, dashboard })) {
    documents[name as keyof typeof APIS] = (await app.inject('/openapi.json')).json<Document>();
    closing.push(() => app.close());
  }
});
afterAll(() => Promise.all(closing.map((close) => close())));

/** Each schema of a document with its path, except schemas inside examples. */
function* schemasOf(value: unknown, place: string[] = []): Generator<[string[], Schema]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, value as Schema];
  for (const [key, part] of Object.entries(value)) {
    if (key !== 'examples' && key !== 'example') yield* schemasOf(part, [...place, key]);
  }
}

describe.each(['knowledge', 'dashboard'] as const)(
  'what generators of clients make of the document: %s',
  (name) => {
    const placesWhere = (isFault: (schema: Schema, place: string[]) => boolean): string[] =>
      [...schemasOf(documents[name].components.schemas), ...schemasOf(documents[name].paths, ['paths'])]
        .filter(([place, schema]) => isFault(schema, place))
        .map(([place]) => place.join('.'));

    test('nothing nullable is anyOf', () => {
      expect(
        placesWhere(({ anyOf }) => Array.isArray(anyOf) && anyOf.some(({ type }: Schema) => type === 'null')),
      ).toEqual([]);
    });

    test('no object stands inside another one without a name', () => {
      expect(
        placesWhere(
          ({ type, properties }, { length }) => type === 'object' && properties !== undefined && length > 1,
        ),
      ).toEqual([]);
    });

    test('nothing that is sent has a default', () => {
      expect(placesWhere((schema, place) => 'default' in schema && place.at(-1) !== 'properties')).toEqual(
        [],
      );
    });

    test('replies take added fields, requests do not', () => {
      const { schemas } = documents[name].components;
      for (const request of Object.keys(APIS[name].requests)) {
        if (schemas[request]!['type'] !== 'object' || request === 'ClientMessage') continue;
        expect({ request, closed: schemas[request]!['additionalProperties'] }).toEqual({
          request,
          closed: false,
        });
      }
      for (const reply of Object.keys(APIS[name].replies)) {
        expect({ reply, more: schemas[reply]!['additionalProperties'] ?? true }).not.toEqual({
          reply,
          more: false,
        });
      }
    });

    test('every answer says which headers it has, and 405, 408 and the bound of a body are told', () => {
      const { paths } = documents[name] as unknown as { paths: Record<string, Record<string, Operation>> };
      const operations = Object.values(paths).flatMap((path) => Object.values(path));
      for (const { responses } of operations) {
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(['405', '408']));
      }
      const missing = operations.flatMap(({ responses, security = [] }) =>
        Object.entries(responses).flatMap(([status, { headers = {} }]) =>
          expectedHeaders(status, security.length > 0).filter((header) => !Object.hasOwn(headers, header)),
        ),
      );
      expect(missing).toEqual([]);
      expect(documents[name].info.description).toContain('256 KiB');
    });

    test('each status has one media type, of which a generated client makes one type', () => {
      const { paths } = documents[name] as unknown as {
        paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>>;
      };
      const several = Object.entries(paths).flatMap(([path, operations]) =>
        Object.values(operations).flatMap(({ responses }) =>
          Object.values(responses).flatMap(({ content = {} }) =>
            Object.keys(content).length > 1 ? [path] : [],
          ),
        ),
      );
      expect(several).toEqual([]);
    });

    test('an error code may be a new one; those of today are listed', () => {
      const { code } = documents[name].components.schemas['Problem']!['properties'] as Record<string, Schema>;
      expect(code).toMatchObject({ type: 'string', examples: listErrors().map(({ code }) => code) });
      expect(code).not.toHaveProperty('enum');
    });
  },
);

const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });

describe('a schema for clients', () => {
  test.each([
    [{ anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] }, { type: ['number', 'null'], minimum: 0 }],
    [
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }], description: 'd' },
      { type: ['string', 'null'], enum: ['a', null], description: 'd' },
    ],
    [
      { anyOf: [{ type: 'array', items: {} }, { type: 'null' }] },
      { oneOf: [{ type: 'array', items: {} }, { type: 'null' }] },
    ],
    [{ anyOf: [{ const: 1 }, { const: 2 }] }, { anyOf: [{ const: 1 }, { const: 2 }] }],
  ])('%j', (schema, cleaned) => {
    expect(clean(schema, 'output')).toEqual(cleaned);
  });

  test('equal objects are one component, and each is called by where it stands', () => {
    const point = object({ x: { type: 'number' } });
    expect(
      forClients({ Line: object({ from: point, points: { type: 'array', items: point } }) }, 'output'),
    ).toEqual({
      Line: object({
        from: { $ref: '#/components/schemas/LineFrom' },
        points: { type: 'array', items: { $ref: '#/components/schemas/LineFrom' } },
      }),
      LineFrom: point,
    });
  });

  test('two different objects of one name are refused', () => {
    const inner = object({ x: { type: 'number' } });
    expect(() => forClients({ Line: object({ end: inner }), LineEnd: object({}) }, 'output')).toThrow(
      'LineEnd',
    );
  });
});
