import { describe, expect, it } from 'vitest';
import { given } from '../given.suite.ts';
import { MODELS } from '../streams/models.ts';
import { decide, type ModelsCommand } from './models.ts';

/** The models after commands, each on what the one before it left. */
function after(...steps: readonly ModelsCommand[]) {
  const history: ReturnType<typeof decide>[number][] = [];
  for (const command of steps) history.push(...decide(command, given(MODELS, ...history).state));
  return given(MODELS, ...history);
}

const open = (run: string): ModelsCommand => ({ type: 'open-run', run });
const adopt = (run: string): ModelsCommand => ({ type: 'adopt-trained', weights: `of ${run}`, run });
const load = (run: string | null): ModelsCommand => ({ type: 'use-loaded', weights: `of ${run}`, run });
const save = (run: string | null): ModelsCommand => ({ type: 'note-saved', weights: `of ${run}`, run });

describe('the models', () => {
  it('knows its runs, the newest last', () => {
    expect(after(open('a'), open('b')).state.runs).toEqual(['a', 'b']);
    after(open('a'), open('b')).when(open('b')).thenNothing();
  });

  it('puts to use what a run has trained, once, whatever is in use by then', () => {
    const adopted = after(open('a'), adopt('a'));
    expect(adopted.state.inUse).toEqual({ weights: 'of a', run: 'a', cause: 'trained' });
    adopted.when(adopt('a')).thenNothing();
    after(open('a'), adopt('a'), load('b')).when(adopt('a')).thenNothing();
  });

  it('puts to use what was saved, also where nothing was trained', () => {
    expect(after(load(null)).state.inUse).toEqual({ weights: 'of null', run: null, cause: 'loaded' });
    expect(after(open('a'), adopt('a'), load('a')).state.inUse).toMatchObject({ cause: 'loaded' });
    after(load('a')).when(load('a')).thenNothing();
  });

  it('notes what is saved where that is something else', () => {
    expect(after(save('a'), save('b')).state.saved).toEqual({ weights: 'of b', run: 'b' });
    after(save('a')).when(save('a')).thenNothing();
  });
});
