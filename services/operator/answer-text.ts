import { languageOf } from '../../actors/ask/language.ts';
import type { AskResponse } from '../../events/messages/knowledge.ts';
import { painter, printable, wrap, type Terminal } from './terminal.ts';

const LABELS = {
  de: {
    sources: 'Quellen',
    answered: 'belegt',
    refused: 'keine Antwort: die Wissensbasis deckt die Frage nicht ab',
    uncertain: 'unsicher: nicht als Auskunft verwenden',
    asOf: 'Stand',
  },
  en: {
    sources: 'Sources',
    answered: 'verified',
    refused: 'no answer: the knowledge base does not cover the question',
    uncertain: 'uncertain: not to be used as an answer',
    asOf: 'as of',
  },
} as const;

/** An answer as a person reads it: text, sources, and whether it may be relied on. */
export function formatAnswer(response: AskResponse, terminal: Terminal): string {
  const labels = LABELS[languageOf(response.question)];
  const width = Math.min(Math.max(terminal.columns, 40), 96);
  const paint = painter(terminal);

  const paragraphs = response.answer.split(/\n+/u).map((paragraph) => {
    const text = wrap(printable(paragraph), width).join('\n');
    return paragraph.startsWith('⚠') ? paint('yellow', text) : text;
  });
  const sources = response.sources.map((source) => {
    const details = [source.section, source.work, `${labels.asOf} ${source.stand}`].filter(
      (part) => part !== '',
    );
    return `  ${paint('cyan', `[${source.id}]`)} ${printable(source.title)} ${paint('dim', `(${printable(details.join(', '))})`)}`;
  });
  const verdict = response.verified
    ? paint('green', `✓ ${labels.answered}`)
    : paint('yellow', `⚠ ${response.status === 'refused' ? labels.refused : labels.uncertain}`);
  const blocks = [
    paragraphs.join('\n\n'),
    ...(sources.length === 0 ? [] : [`${paint('bold', labels.sources)}\n${sources.join('\n')}`]),
    `${verdict} ${paint('dim', `· ${response.model} · ${response.latency_ms} ms`)}`,
  ];
  return blocks.join('\n\n');
}
