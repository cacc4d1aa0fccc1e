import type { AskResponse, SourceReference, SourceText } from '../../../events/messages/knowledge.ts';
import { el } from '../dom.ts';
import { get } from './api.ts';
import { originalLink, placeWithFile } from './original.ts';
import { stretchesOf } from './quote-marks.ts';
import { renderProblem } from './problem.ts';
import { texts } from './page-language.ts';

/** As in `page.css`: from this width on the passage is beside the answer, on narrower screens below it. */
const BESIDE = matchMedia('(min-width: 72rem)');

/**
 * The whole text of a source with the quotes of the answer marked. The source is that of the citation in `article` that
 * was clicked or focused last. Before that, the first source is shown if there is room beside the answer. `null` for an
 * answer without sources.
 */
export function renderPassage({ sources }: AskResponse, article: HTMLElement): HTMLElement | null {
  const [first] = sources;
  if (first === undefined) return null;
  const passage = el('aside.passage', {
    id: 'passage',
    hidden: true,
    tabIndex: -1,
    ariaLabel: texts.passage,
  });
  const links = [...article.querySelectorAll<HTMLElement>('[data-source]')];
  const back = el('button.back.small', { type: 'button' }, texts.back);
  let shown = '';
  let loading = Promise.resolve();
  let cameFrom = article;

  function show(source: SourceReference): Promise<void> {
    if (shown !== source.id) loading = load(source);
    return loading;
  }

  async function load(source: SourceReference): Promise<void> {
    shown = source.id;
    for (const link of links) link.ariaCurrent = String(link.dataset.source === source.id);
    passage.hidden = false;
    passage.ariaBusy = 'true';
    const content = await contentOf(source, () => {
      loading = load(source);
    });
    // Another source was chosen meanwhile.
    if (shown !== source.id) return;
    passage.replaceChildren(...content, back);
    passage.ariaBusy = 'false';
    passage.scrollTop = passage.querySelector('mark')?.offsetTop ?? 0;
  }

  const shownBy = (event: Event): Promise<void> | null => {
    const link = (event.target as Element).closest<HTMLElement>('[data-source]');
    const source = sources.find(({ id }) => id === link?.dataset.source);
    if (link === null || source === undefined) return null;
    cameFrom = link;
    return show(source);
  };
  article.addEventListener('focusin', (event) => void shownBy(event));
  article.addEventListener('click', (event) => {
    const showing = shownBy(event);
    if (showing === null) return;
    event.preventDefault();
    // Beside the answer, a click leaves the focus where it is; below it, or by keyboard, the focus moves to the
    // passage.
    if (!BESIDE.matches || event.detail === 0) void showing.then(() => passage.focus());
  });
  back.addEventListener('click', () => cameFrom.focus());
  if (BESIDE.matches) void show(first);
  return passage;
}

async function contentOf(source: SourceReference, onRetry: () => void): Promise<HTMLElement[]> {
  try {
    return renderSource(source, await get<SourceText>(`/v1/sources/${encodeURIComponent(source.id)}`));
  } catch (error) {
    return [renderProblem(error, onRetry)];
  }
}

function renderSource(source: SourceReference, { text, text_hash }: SourceText): HTMLElement[] {
  const same = source.text_hash === null || source.text_hash === text_hash;
  const quotes = same ? source.quotes : [];
  const original = originalLink(source, texts.original);
  const note = !same ? texts.passageChanged : quotes.length > 0 ? texts.passageMarks : '';
  return [
    el('h2', source.title),
    el('p.source-place', placeWithFile(source), ' ', el('code', source.id)),
    ...(original === null ? [] : [el('p', original)]),
    el(
      'p.text',
      stretchesOf(text, quotes).map(({ text: words, mark }) =>
        mark === 'none' ? words : el('mark', mark === 'decisive' ? el('strong', words) : words),
      ),
    ),
    ...(note === '' ? [] : [el('p.hint', note)]),
  ];
}
