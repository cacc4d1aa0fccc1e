import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { AskResponse } from '../../../events/messages/knowledge.ts';
import { Workspace } from '../../../testing/processes/application.suite.ts';
import { STARTER_BASE } from '../../knowledge/settings.ts';

const page = await readFile(new URL('../../../docs/review.md', import.meta.url), 'utf8');
/** Each request of the page whose answer is shown after it. */
const SHOWN = [...page.matchAll(/-d '(\{[^']*\})'\n```\n[^`]*```text\n([^`]*)```/gu)];

/** The page breaks lines where the answer does not. */
const inOneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

test('the answers on the page about reviews are what a service says', async () => {
  expect(SHOWN.length).toBeGreaterThan(0);
  const workspace = await Workspace.create();
  const { application, client } = await workspace.start({ PV_KB_PATH: STARTER_BASE, PV_REVIEW_MODE: 'true' });
  try {
    for (const [, request, answer] of SHOWN) {
      const { body } = await client.post<AskResponse>('/v1/ask', JSON.parse(request!));
      expect(inOneLine(answer!)).toBe(inOneLine(body.answer));
    }
  } finally {
    await application.close();
    await workspace.remove();
  }
});
