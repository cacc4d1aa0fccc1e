import { randomUUID } from 'node:crypto';
import type { BelegError } from '../../events/errors.ts';
import { invalidRequest } from '../../events/messages/define.ts';
import { Ask } from '../../events/messages/knowledge.ts';
import { readSettings } from '../config.ts';
import { createAskHandler } from '../knowledge/ask.ts';
import { Gate } from '../knowledge/gate.ts';
import { openKnowledge } from '../knowledge/knowledge.ts';
import { noModels } from '../knowledge/models.ts';
import { formatAnswer } from './answer-text.ts';
import { EXIT } from './failure.ts';

const EXIT_OF = { answered: 0, refused: EXIT.refused, uncertain: EXIT.uncertain } as const;

/** `beleg ask`: one question to the knowledge base itself, without a service; nothing of it is kept. */
export async function ask(
  question: string,
  options: { kb?: string; topK: number; json?: true },
): Promise<void> {
  const request_id = randomUUID();
  const parsed = Ask.request.safeParse({ request_id, question, top_k: options.topK });
  if (!parsed.success) throw new Error(describe(invalidRequest(parsed.error)));

  const settings = readSettings({
    ...process.env,
    ...(options.kb === undefined ? {} : { PV_KB_PATH: options.kb }),
  });
  const knowledge = await openKnowledge(settings);
  const answer = createAskHandler({
    index: () => knowledge.index,
    models: noModels(),
    gate: new Gate({ concurrent: 1, queued: 0 }),
    recorder: null,
    reviewMode: false,
    redact: false,
    now: () => new Date(),
  });
  const deadline = new Date(Date.now() + Ask.timeoutMs);
  const response = await answer(parsed.data, { correlationId: request_id, callId: request_id, deadline });

  const { stdout } = process;
  const terminal = { columns: stdout.columns ?? 80, colour: stdout.isTTY && stdout.hasColors() };
  console.log(options.json ? JSON.stringify(response, null, 2) : formatAnswer(response, terminal));
  process.exitCode = EXIT_OF[response.status];
}

function describe({ errors = [] }: BelegError): string {
  return errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
}
