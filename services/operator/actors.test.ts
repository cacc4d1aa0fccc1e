import { expect, test } from 'vitest';
import { formatActors } from './actors.ts';

test('each actor is a line, with its regions and its children below it', () => {
  const text = formatActors({
    processes: 2,
    counts: [{ kind: 'engine', state: 'running', count: 4 }],
    actors: [
      {
        process: 'p1',
        kind: 'engine',
        id: 'main',
        state: 'running',
        since: '2026-01-15T08:00:00.000Z',
        waits_for: ['nextSession', 'pause'],
        regions: [],
        children: [
          { id: 'strategy', state: 'idle', since: '2026-01-15T08:00:03.000Z', waits_for: ['BEGIN'] },
        ],
      },
      {
        process: 'p1',
        kind: 'lamp',
        id: 'l1',
        state: 'on.colour.red on.alarm.silent',
        since: '2026-01-15T08:00:01.000Z',
        waits_for: ['GREEN', 'RING'],
        regions: [
          { state: 'on.colour.red', since: '2026-01-15T08:00:02.000Z', waits_for: ['GREEN'] },
          { state: 'on.alarm.silent', since: '2026-01-15T08:00:01.000Z', waits_for: ['RING'] },
        ],
        children: [],
      },
    ],
  });
  expect(text).toBe(
    [
      '4 actors in 2 processes',
      '',
      'KIND    ID          STATE            SINCE                     WAITS FOR           PROCESS',
      'engine  main        running          2026-01-15T08:00:00.000Z  nextSession, pause  p1',
      '        └ strategy  idle             2026-01-15T08:00:03.000Z  BEGIN',
      'lamp    l1          on               2026-01-15T08:00:01.000Z                      p1',
      '                    on.colour.red    2026-01-15T08:00:02.000Z  GREEN',
      '                    on.alarm.silent  2026-01-15T08:00:01.000Z  RING',
      '',
      '2 more are not listed',
    ].join('\n'),
  );
});

test('where none lives, that is said', () => {
  expect(formatActors({ processes: 1, counts: [], actors: [] })).toBe('0 actors in 1 process');
});
