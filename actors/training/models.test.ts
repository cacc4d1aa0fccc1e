import { describe, expect, it } from 'vitest';
import { decideModels, evolveModels, initialModels, type ModelsCommand, type ModelsState } from './models.ts';

const after = (...history: readonly ModelsCommand[]): ModelsState =>
  history.reduce((state, command) => decideModels(command, state).reduce(evolveModels, state), initialModels);

const open = (run: string): ModelsCommand => ({ type: 'OpenRun', run });
const adopt = (run: string): ModelsCommand => ({ type: 'AdoptTrained', weights: `of ${run}`, run });
const load = (run: string | null): ModelsCommand => ({ type: 'UseLoaded', weights: `of ${run}`, run });
const save = (run: string | null): ModelsCommand => ({ type: 'NoteSaved', weights: `of ${run}`, run });

describe('the models', () => {
  it('knows its runs, the newest last', () => {
    expect(after(open('a'), open('b')).runs).toEqual(['a', 'b']);
    expect(decideModels(open('b'), after(open('a'), open('b')))).toEqual([]);
  });

  it('puts to use what a run has trained, once, whatever is in use by then', () => {
    const state = after(open('a'), adopt('a'));
    expect(state.inUse).toEqual({ weights: 'of a', run: 'a', cause: 'trained' });
    expect(decideModels(adopt('a'), state)).toEqual([]);
    expect(decideModels(adopt('a'), after(open('a'), adopt('a'), load('b')))).toEqual([]);
  });

  it('puts to use what was saved, also where nothing was trained', () => {
    expect(after(load(null)).inUse).toEqual({ weights: 'of null', run: null, cause: 'loaded' });
    expect(after(open('a'), adopt('a'), load('a')).inUse).toMatchObject({ cause: 'loaded' });
    expect(decideModels(load('a'), after(load('a')))).toEqual([]);
  });

  it('notes what is saved where that is something else', () => {
    expect(after(save('a'), save('b')).saved).toEqual({ weights: 'of b', run: 'b' });
    expect(decideModels(save('a'), after(save('a')))).toEqual([]);
  });
});
