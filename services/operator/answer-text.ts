import { styleText } from 'node:util';
import { languageOf } from '../../actors/ask/language.ts';
import type { AskResponse } from '../../events/messages/knowledge.ts';

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

/** Where the text goes: how wide it is, and whether it takes colours. */
export interface Terminal {
  readonly columns: number;
  readonly colour: boolean;
}

type Style = Parameters<typeof styleText>[0];

/** An answer as a person reads it: text, sources, and whether it may be relied on. */
export function formatAnswer(response: AskResponse, terminal: Terminal): string {
  const labels = LABELS[languageOf(response.question)];
  const width = Math.min(Math.max(terminal.columns, 40), 96);
  const paint = (style: Style, text: string) =>
    terminal.colour ? styleText(style, text, { validateStream: false }) : text;

  const paragraphs = response.answer.split(/\n+/u).map((paragraph) => {
    const text = wrap(printable(paragraph), width);
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

/** Without control characters: what a passage holds must not steer the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}

function wrap(text: string, width: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join('\n');
}
