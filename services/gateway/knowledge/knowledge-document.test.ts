import pino from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { EVENT_STREAM } from './answer-stream.ts';
import { startFakeServices } from './fake-services.suite.ts';
import { openKnowledgeGateway } from './knowledge.ts';

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  responses: Record<string, { description: string; headers?: object; content: Record<string, Media> }>;
}
interface Media {
  schema: { $ref?: string; description?: string };
  example?: string;
}
interface Document {
  paths: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Record<string, unknown>> };
}

let document: Document;
beforeAll(async () => {
  const app = await openKnowledgeGateway(
    startFakeServices().bus,
    { apiKeys: [], adminApiKeys: [], allowedHosts: [], rateLimit: null },
    pino({ level: 'silent' }),
  );
  document = (await app.inject('/openapi.json')).json<Document>();
  await app.close();
});

const validator = (name: string) => {
  const local = JSON.stringify({
    ...document.components.schemas[name],
    $defs: document.components.schemas,
  });
  return z.fromJSONSchema(JSON.parse(local.replaceAll('#/components/schemas/', '#/$defs/')) as never);
};

describe('the document of the knowledge service', () => {
  test('names the errors of asking', () => {
    const { responses } = document.paths['/v1/ask']!.post;
    expect(responses['422']!.description).toContain('REVIEW_MODE_DISABLED');
    expect(responses['422']!.description).toContain('CONTEXT_NOT_ALLOWED');
    expect(responses['503']!.description).toContain('MODEL_UNAVAILABLE');
  });

  test('tells of request ids that come again, and of the key of a comment', () => {
    const ask = document.paths['/v1/ask']!.post;
    expect(ask.responses['200']!.headers).toHaveProperty('x-request-id-reused');
    expect(ask.responses['200']!.headers).toHaveProperty('x-answer-not-recorded');
    const { parameters, responses } = document.paths['/v1/comments']!.post;
    const key = parameters!.find(({ name }) => name === 'idempotency-key');
    expect(key).toMatchObject({ in: 'header', schema: { pattern: '^[A-Za-z0-9._:-]{1,64}$' } });
    expect(key?.required).not.toBe(true);
    expect(parameters!.map(({ name }) => name)).toContain('x-request-id');
    expect(responses['409']!.description).toContain('IDEMPOTENCY_KEY_REUSED');
  });

  test('describes the answer as JSON, and as events on a path of their own', () => {
    for (const path of ['/v1/ask', '/ask']) {
      const { content, description } = document.paths[path]!.post.responses['200']!;
      expect(content['application/json']!.schema.$ref).toBe('#/components/schemas/AskResponse');
      expect(description).toContain('POST /v1/ask/stream');
    }
    const { responses } = document.paths['/v1/ask/stream']!.post;
    const { content, headers } = responses['200']!;
    const events = content[EVENT_STREAM]!;
    for (const name of ['planned', 'retrieved', 'drafted', 'verified', 'reused', 'answer', 'problem']) {
      expect(events.schema.description).toContain(`\`${name}\``);
    }
    expect(events.example).toMatch(/^event: planned\n.*event: answer\ndata: \{.*\}\n\n$/s);
    expect(headers).toHaveProperty('x-personal-data');
    expect(responses['503']!.description).toContain('MODEL_UNAVAILABLE');
  });

  test('has examples of a question and a review that its own schemas accept', () => {
    for (const name of ['AskRequest', 'ReviewContext', 'AskResponse']) {
      const given = document.components.schemas[name]!['examples'] as unknown[];
      expect(given).not.toEqual([]);
      for (const example of given) expect(validator(name).safeParse(example).error).toBeUndefined();
    }
  });
});
