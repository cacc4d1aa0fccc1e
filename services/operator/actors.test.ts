import { expect, test } from 'vitest';
import { formatActors } from './actors.ts';

test('each actor is a line, with its children below it', () => {
  const text = formatActors({
    processes: 2,
    counts: [{ kind: 'engine', state: 'running', count: 3 }],
    actors: [
      {
        process: 'p1',
        kind: 'engine',
        id: 'main',
        state: 'running',
        since: '2026-01-15T08:00:00.000Z',
        waits_for: ['nextSession', 'pause'],
        children: [{ id: 'strategy', state: 'idle' }],
      },
    ],
  });
  expect(text).toBe(
    [
      '3 actors in 2 processes',
      '',
      'KIND    ID          STATE    SINCE                     WAITS FOR           PROCESS',
      'engine  main        running  2026-01-15T08:00:00.000Z  nextSession, pause  p1',
      '        └ strategy  idle',
      '',
      '2 more are not listed',
    ].join('\n'),
  );
});

test('where none lives, that is said', () => {
  expect(formatActors({ processes: 1, counts: [], actors: [] })).toBe('0 actors in 1 process');
});
