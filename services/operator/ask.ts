import { settingsOn } from './settings-with-options.ts';
import { randomUUID } from 'node:crypto';
import type { BelegError } from '../../events/errors.ts';
import { invalidRequest } from '../../events/messages/define.ts';
import { Ask, type AskResponse } from '../../events/messages/knowledge.ts';
import { UsageError } from './report-failure.ts';
import { EXIT } from './exit-codes.ts';
import { toJson } from '../foundation/json.ts';
import { openPipeline } from './ask-pipeline.ts';
import { standardOutput, painter, printable, wrap, type Terminal } from './terminal.ts';
import type { Language } from '../../kb/source.ts';
import { languageToAnswerIn } from '../../kb/analysis/analysis.ts';
import { monthName } from '../../kb/answer/templates.ts';
import { inLanguage, TEXTS } from '../pages/knowledge/languages.ts';
import { blocksOf } from '../pages/knowledge/answer-blocks.ts';
import { bannerOf, stateOf } from '../pages/knowledge/answer-state.ts';

const EXIT_OF = { answered: 0, refused: EXIT.refused, uncertain: EXIT.uncertain } as const;

/** `beleg ask`: answers one question from the knowledge base without a service, and records nothing. */
export async function ask(
  question: string,
  options: { kb?: string; topK: number; json?: true },
): Promise<void> {
  const request_id = randomUUID();
  const parsed = Ask.request.safeParse({ request_id, question, top_k: options.topK });
  if (!parsed.success) throw new UsageError(describe(invalidRequest(parsed.error)));

  const settings = settingsOn(options.kb);
  await using pipeline = await openPipeline(settings, { reviewMode: false });
  const response = await pipeline.answer(parsed.data);

  const language = languageToAnswerIn(question, pipeline.languages);
  console.log(options.json ? toJson(response, 2) : formatAnswer(response, language, standardOutput()));
  process.exitCode = EXIT_OF[response.status];
}

function describe({ errors = [] }: BelegError): string {
  return errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
}

/** An answer for a person: the text, the sources, and whether it is verified. */
function formatAnswer(response: AskResponse, language: Language, terminal: Terminal): string {
  const words = inLanguage(TEXTS, language);
  const width = Math.min(Math.max(terminal.columns, 40), 96);
  const paint = painter(terminal);

  const paragraphs = blocksOf(response.answer).map(({ kind, text: block }) => {
    if (kind === 'code')
      return block
        .split('\n')
        .map((line) => `    ${printable(line)}`)
        .join('\n');
    const text = wrap(printable(block), width).join('\n');
    return block.startsWith('⚠') ? paint('yellow', text) : text;
  });
  const sources = response.sources.map((source) => {
    const { section, work, stand, dated, url, path, page } = source;
    const file = page === null ? (path ?? '') : `${path}, ${words.page(page)}`;
    const details = [section, work, dated ? `${words.stand} ${stand}` : '', file, url ?? ''].filter(
      (part) => part !== '',
    );
    return `  ${paint('cyan', `[${source.id}]`)} ${printable(source.title)} ${paint('dim', `(${printable(details.join(', '))})`)}`;
  });
  const { title, note } = bannerOf(response, words, (month) => monthName(month, language));
  const [colour, mark] =
    stateOf(response) === 'verified' ? (['green', '✓'] as const) : (['yellow', '⚠'] as const);
  const blocks = [
    paragraphs.join('\n\n'),
    ...(sources.length === 0 ? [] : [`${paint('bold', words.sources)}\n${sources.join('\n')}`]),
    `${paint(colour, wrap(`${mark} ${title}: ${note}`, width).join('\n'))} ${paint('dim', `· ${response.model} · ${response.latency_ms} ms`)}`,
  ];
  return blocks.join('\n\n');
}
