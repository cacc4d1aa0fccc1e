import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { listErrors, type ErrorCode } from '../../events/errors.ts';
import {
  CommentRequest,
  CommentResponse,
  RatingRequest,
  RatingResponse,
} from '../../events/messages/feedback.ts';
import { AskRequest, AskResponse, ReindexResponse, ReviewContext } from '../../events/messages/knowledge.ts';
import { ANSWERED, HEALTHY, PROBLEM, REFUSED } from './examples.ts';
import { HealthResponse, VERSION } from './health.ts';
import { Problem, PROBLEM_TYPE } from './problem.ts';

const register = z.globalRegistry;
register.add(AskRequest, {
  id: 'AskRequest',
  examples: [{ question: 'Wie lange wird das Entgelt bei Krankheit fortgezahlt?', top_k: 8 }],
});
register.add(ReviewContext, { id: 'ReviewContext' });
register.add(AskResponse, { id: 'AskResponse', examples: [ANSWERED, REFUSED] });
register.add(RatingRequest, {
  id: 'RatingRequest',
  examples: [{ request_id: ANSWERED.request_id, rating: 'up', feedback: 'Genau das habe ich gesucht.' }],
});
register.add(RatingResponse, {
  id: 'RatingResponse',
  examples: [{ api_version: 'v1', request_id: ANSWERED.request_id, rating: 'up', updated: false }],
});
register.add(CommentRequest, {
  id: 'CommentRequest',
  examples: [{ request_id: ANSWERED.request_id, comment: 'Bitte auch auf § 3 Abs. 3 hinweisen.' }],
});
register.add(CommentResponse, {
  id: 'CommentResponse',
  examples: [{ api_version: 'v1', request_id: ANSWERED.request_id, comment_id: 1 }],
});
register.add(ReindexResponse, { id: 'ReindexResponse' });
register.add(HealthResponse, { id: 'Health', examples: [HEALTHY] });
register.add(Problem, { id: 'Problem', examples: [PROBLEM] });

/** What any path can answer. */
const ALWAYS: readonly ErrorCode[] = ['FORBIDDEN_ORIGIN', 'MISDIRECTED_REQUEST', 'INTERNAL'];

/** The answers of a route for its schema: what it gives when all is well, and each error it can give. */
export function answers(success: z.ZodType, description: string, codes: readonly ErrorCode[], status = 200) {
  const possible = new Set<string>([...ALWAYS, ...codes]);
  const byStatus = Map.groupBy(
    listErrors().filter(({ code }) => possible.has(code)),
    ({ status }) => status,
  );
  const errors = [...byStatus].map(([status, entries]) => [
    status,
    {
      description: entries.map(({ code, title }) => `\`${code}\`: ${title}`).join('  \n'),
      content: { [PROBLEM_TYPE]: { schema: Problem } },
    },
  ]);
  return {
    ...(Object.fromEntries(errors) as Record<number, object>),
    [status]: { description, content: { 'application/json': { schema: success } } },
  };
}

const DESCRIPTION = `Answers questions from its knowledge base alone, each statement with its source.

Every request may carry \`X-Request-ID\` (1 to 128 of \`A-Z a-z 0-9 . _ : -\`); an invalid or missing one is replaced. The
effective id is in the response header of that name, and in the body of answers and errors.

Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`. With 429 and most 503s \`Retry-After\` says when to
try again.

| Code | Status | Meaning |
|---|---|---|
${listErrors()
  .map(({ code, status, title }) => `| \`${code}\` | ${status} | ${title} |`)
  .join('\n')}`;

/** The contract, from the schemas that validate. Before any route is added. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Beleg knowledge service', version: VERSION, description: DESCRIPTION },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          serviceKey: { type: 'http', scheme: 'bearer', description: 'PV_API_KEY' },
          adminKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'PV_ADMIN_API_KEY; where that is empty, PV_API_KEY opens reindex',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
}
