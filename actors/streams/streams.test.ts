import { describe, expect, it } from 'vitest';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { evolveRecorded, kindOf, STREAMS } from './streams.ts';

describe('the kinds of streams', () => {
  it('have a place for every event of the catalogue, and one only', () => {
    const homes = CATALOG.map(({ type }) => ({
      type,
      kinds: STREAMS.filter(({ types }) => types.includes(type)).map(({ kind }) => kind),
    }));
    expect(homes.filter(({ kinds }) => kinds.length !== 1)).toEqual([]);
    const known = new Set<string>(CATALOG.map(({ type }) => type));
    expect(STREAMS.flatMap(({ types }) => types).filter((type) => !known.has(type))).toEqual([]);
  });

  it('have lifecycles of their own events', () => {
    for (const { lifecycle, types } of STREAMS) {
      const of = Object.values<object>(lifecycle?.table ?? {}).flatMap((on) => Object.keys(on));
      expect(of.filter((type) => !types.includes(type))).toEqual([]);
    }
    expect(STREAMS.filter(({ lifecycle }) => lifecycle !== null)).toHaveLength(6);
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
      expect(STREAMS.filter((kind) => kind.matches(stream)).map((kind) => kind.kind)).toEqual([kind]);
    }
    expect(STREAMS).toHaveLength(kinds.length);
    expect(kindOf('elsewhere')).toBeUndefined();
  });

  it('refuse what belongs in another kind of stream', () => {
    const market = kindOf('market-u1')!;
    const event = { id: 'e', type: 'ModelSaved', data: {}, stream: 'market-u1', metadata: {} as never };
    expect(() => evolveRecorded(market, market.initial(), event)).toThrow('ModelSaved');
  });
});
