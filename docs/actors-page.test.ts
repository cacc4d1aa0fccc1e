import { expect, test } from 'vitest';
import { MACHINES } from '../testing/machines.suite.ts';
import { mermaidOf } from '../testing/mermaid.ts';

// `vitest run docs/actors-page.test.ts --update` draws the page.
test('docs/actors.md has each machine as it is', async () => {
  const page = [
    '# Actors',
    '',
    'The machines of the house, drawn from their code. A state with states inside is one of the record where the machine is made from a',
    'lifecycle; what a process does there is inside. In brackets after a name: the work that is begun there. Between lines `--` are regions,',
    'which stand side by side; `in pace.open` means that another region is in that state. A condition in brackets is looked at when the state is',
    'entered, and again after the events that stand before it (`RECORDED [mustTell]`).',
    '',
    '`npx beleg actors` and `GET /actors` list the actors that live, of the processes that answer within half a second. `since` is the time at',
    'which an actor entered its state. One with regions names each with its own time, and beside its id the state that they are all in. What an actor waits for is what',
    'ends its rest: work that was begun there (`matchSession`), a pause (`poll`), or events that lead on (`NEXT`). Where a region waits for',
    'another one, it is what that one waits for. What would only prolong a state is not named, nor is work without an end that leads on (`reports`).',
    ...MACHINES.flatMap(([heading, about, machine]) => [
      '',
      `## ${heading}`,
      '',
      about,
      '',
      '```mermaid',
      mermaidOf(machine),
      '```',
    ]),
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot('actors.md');
});
