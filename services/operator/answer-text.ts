import { languageOf } from '../../actors/ask/language.ts';
import { monthName } from '../../actors/ask/templates.ts';
import type { AskResponse } from '../../events/messages/knowledge.ts';
import { bannerOf, stateOf } from '../gateway/pages/knowledge/state.ts';
import { GERMAN } from '../gateway/pages/knowledge/texts-de.ts';
import { ENGLISH } from '../gateway/pages/knowledge/texts-en.ts';
import { painter, printable, wrap, type Terminal } from './terminal.ts';

const WORDS = { de: GERMAN, en: ENGLISH };

/** An answer as a person reads it: text, sources, and whether it may be relied on. */
export function formatAnswer(response: AskResponse, terminal: Terminal): string {
  const language = languageOf(response.question);
  const words = WORDS[language];
  const width = Math.min(Math.max(terminal.columns, 40), 96);
  const paint = painter(terminal);

  const paragraphs = response.answer.split(/\n+/u).map((paragraph) => {
    const text = wrap(printable(paragraph), width).join('\n');
    return paragraph.startsWith('⚠') ? paint('yellow', text) : text;
  });
  const sources = response.sources.map((source) => {
    const details = [source.section, source.work, `${words.stand} ${source.stand}`].filter(
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
