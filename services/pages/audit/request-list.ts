import { el } from '../dom.ts';
import { time } from './format.ts';
import { inert } from './inert-text.ts';
import type { Interaction } from './api.ts';
import { texts } from './texts.ts';

/** The most characters of a question; two lines show no more. */
const EXCERPT = 300;

interface Item {
  readonly link: HTMLAnchorElement;
  interaction: Interaction;
}

/** The list of requests in an element; `hrefOf(request_id)` is the address of a request. */
export function createList(list: HTMLElement, hrefOf: (requestId: string) => string) {
  const shown = new Map<string, Item>();
  let current = '';

  const mark = ({ interaction, link }: Item) => {
    link.ariaCurrent = interaction.request_id === current ? 'true' : null;
  };

  return {
    get size() {
      return shown.size;
    },
    clear() {
      shown.clear();
      list.replaceChildren();
    },
    /** A request that is already shown stays in its place. */
    append(interactions: readonly Interaction[]) {
      for (const interaction of interactions) {
        if (shown.has(interaction.request_id)) continue;
        const link = el('a', { href: hrefOf(interaction.request_id) });
        const entry = { link, interaction };
        shown.set(interaction.request_id, entry);
        write(entry, interaction);
        mark(entry);
        list.append(el('li', link));
      }
    },
    select(requestId: string) {
      current = requestId;
      for (const entry of shown.values()) mark(entry);
    },
    focus(requestId: string) {
      (shown.get(requestId)?.link ?? list).focus();
    },
    focusAt(index: number) {
      ([...shown.values()][index]?.link ?? list).focus();
    },
    /** Removes the text of an erased request from the list at once. */
    forget(requestId: string, erased_at: string) {
      const entry = shown.get(requestId);
      if (entry !== undefined) write(entry, withoutText(entry.interaction, erased_at));
    },
  };
}

function write(entry: Item, interaction: Interaction): void {
  entry.interaction = interaction;
  entry.link.replaceChildren(...describe(interaction));
}

function withoutText(interaction: Interaction, erased_at: string): Interaction {
  return {
    ...interaction,
    erased_at,
    question: null,
    answer: null,
    rating: interaction.rating === null ? null : { ...interaction.rating, feedback: null },
    comments: interaction.comments.map((comment) => ({ ...comment, comment: null })),
  };
}

function describe(interaction: Interaction): HTMLElement[] {
  const { question, rating, comments, answers, at } = interaction;
  return [
    el('span.line', time(at), chip(interaction)),
    el(
      'bdi',
      { className: question === null ? 'excerpt gone' : 'excerpt' },
      question === null ? missing(interaction) : inert(question.slice(0, EXCERPT)),
    ),
    el(
      'span.line.small',
      rating === null ? null : thumb(rating.rating),
      comments.length === 0 ? null : el('span', texts.commentCount(comments.length)),
      answers === 1 ? null : el('span', texts.answerCount(answers)),
    ),
  ];
}

/** The words that say why a text is missing. */
export function missing({ erased_at, text_lost }: Pick<Interaction, 'erased_at' | 'text_lost'>): string {
  if (erased_at !== null) return texts.erasedText;
  return text_lost === true ? texts.lostText : texts.noText;
}

export type Outcome = Pick<Interaction, 'status' | 'verified' | 'verdict' | 'conflicts'>;

export function stateOf({ status, verified, verdict, conflicts }: Outcome) {
  if (status !== 'answered') return status;
  if (!verified) return 'unverified';
  return conflicts > 0 ? 'contradictory' : (verdict ?? 'verified');
}

/** The recorded outcome; for a review its verdict. */
export function chip(outcome: Outcome): HTMLElement {
  const state = stateOf(outcome);
  return el('span.chip', { dataset: { state } }, texts[state]);
}

export function thumb(rating: 'up' | 'down'): HTMLElement {
  return el(
    'span.thumb',
    { dataset: { rating } },
    el('span', { ariaHidden: 'true' }, rating === 'up' ? '▲ ' : '▼ '),
    rating === 'up' ? texts.ratedUp : texts.ratedDown,
  );
}
