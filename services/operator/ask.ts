import { randomUUID } from 'node:crypto';
import type { BelegError } from '../../events/errors.ts';
import { invalidRequest } from '../../events/messages/define.ts';
import { Ask } from '../../events/messages/knowledge.ts';
import { readSettings } from '../config.ts';
import { formatAnswer } from './answer-text.ts';
import { EXIT, UsageError } from './failure.ts';
import { toJson } from '../json.ts';
import { openPipeline, type Pipeline } from './pipeline.ts';
import { standardOutput } from './terminal.ts';

const EXIT_OF = { answered: 0, refused: EXIT.refused, uncertain: EXIT.uncertain } as const;

/** `beleg ask`: one question to the knowledge base itself, without a service; nothing of it is kept. */
export async function ask(
  question: string,
  options: { kb?: string; topK: number; json?: true },
): Promise<void> {
  const request_id = randomUUID();
  const parsed = Ask.request.safeParse({ request_id, question, top_k: options.topK });
  if (!parsed.success) throw new UsageError(describe(invalidRequest(parsed.error)));

  const settings = readSettings({
    ...process.env,
    ...(options.kb === undefined ? {} : { PV_KB_PATH: options.kb }),
  });
  const pipeline = await openPipeline(settings, { reviewMode: false });
  const response = await answerOnce(pipeline, parsed.data);

  console.log(options.json ? toJson(response, 2) : formatAnswer(response, standardOutput()));
  process.exitCode = EXIT_OF[response.status];
}

async function answerOnce(pipeline: Pipeline, request: Parameters<Pipeline['answer']>[0]) {
  try {
    return await pipeline.answer(request);
  } finally {
    await pipeline.close();
  }
}

function describe({ errors = [] }: BelegError): string {
  return errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
}
