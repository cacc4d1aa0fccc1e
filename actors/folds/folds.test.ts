import { describe, expect, it } from 'vitest';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { evolveWith, FOLDS, foldOf } from './folds.ts';

describe('the folds of all streams', () => {
  it('have a place for every event of the catalogue, and one only', () => {
    const homes = CATALOG.map(({ type }) => ({
      type,
      kinds: FOLDS.filter(({ types }) => types.includes(type)).map(({ kind }) => kind),
    }));
    expect(homes.filter(({ kinds }) => kinds.length !== 1)).toEqual([]);
    const known = new Set<string>(CATALOG.map(({ type }) => type));
    expect(FOLDS.flatMap(({ types }) => types).filter((type) => !known.has(type))).toEqual([]);
  });

  it('are found by the name of a stream', () => {
    const kinds = [
      ['ask-r1', 'ask'],
      ['comments', 'comments'],
      ['knowledge-index', 'knowledge-index'],
      ['erasures', 'erasures'],
      ['checkpoints', 'checkpoints'],
      ['account-main', 'account'],
      ['paper-broker-main', 'paper-broker'],
      ['market-u1', 'market'],
      ['training-t1', 'training'],
      ['models', 'models'],
    ] as const;
    for (const [stream, kind] of kinds) {
      expect(FOLDS.filter((fold) => fold.matches(stream)).map((fold) => fold.kind)).toEqual([kind]);
    }
    expect(FOLDS).toHaveLength(kinds.length);
    expect(foldOf('elsewhere')).toBeUndefined();
  });

  it('refuse what belongs in another kind of stream', () => {
    const fold = foldOf('market-u1')!;
    const event = { id: 'e', type: 'ModelSaved', data: {}, stream: 'market-u1', metadata: {} as never };
    expect(() => evolveWith(fold, fold.initial('market-u1'), event)).toThrow('ModelSaved');
  });
});
