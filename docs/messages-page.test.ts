import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { matchesFilter } from '../events/bus/message.ts';
import { NOTICED_AFTER_MS } from '../events/bus/nats.ts';
import { CATALOG } from '../events/catalog/catalog.ts';
import * as actors from '../events/messages/actors.ts';
import * as audit from '../events/messages/audit.ts';
import * as feedback from '../events/messages/feedback.ts';
import { FOLLOWERS, lagOf } from '../events/messages/follower-lag.ts';
import * as knowledge from '../events/messages/knowledge.ts';
import * as market from '../events/messages/market.ts';
import * as models from '../events/messages/models.ts';
import * as trading from '../events/messages/trading.ts';

const CONF = readFileSync(join(import.meta.dirname, '..', 'nats.conf'), 'utf8').replaceAll(/^\s*#.*$/gm, '');

/** Which subjects each user of `nats.conf` may publish and hear. */
const USERS = [...CONF.matchAll(/user: (\w+),[^]*?publish: \[([^\]]*)\][^]*?subscribe: \[([^\]]*)\]/g)].map(
  ([, user = '', publish = '', subscribe = '']) => ({
    user,
    says: filters(publish),
    hears: filters(subscribe),
  }),
);

function filters(list: string): string[][] {
  return [...list.matchAll(/"([^"]+)"/g)].map(([, filter = '']) => filter.split('.'));
}

const who = (may: 'says' | 'hears', subject: string): string =>
  USERS.filter((user) => user[may].some((filter) => matchesFilter(filter, subject.split('.'))))
    .map(({ user }) => user)
    .join(', ') || '–';

/** To one process of a kind instead of any. */
const TO_ONE: readonly unknown[] = [knowledge.InstanceHealth, knowledge.PrepareIndex, knowledge.SwapIndex];

const requests = [
  ...[actors, audit, feedback, knowledge, market, models, trading].flatMap((module) => Object.values(module)),
  ...FOLLOWERS.map(lagOf),
].filter(
  (value): value is ReturnType<typeof lagOf> =>
    typeof value === 'object' && 'subject' in value && 'timeoutMs' in value,
);

function rowOf(definition: (typeof requests)[number]): string {
  const subject = TO_ONE.includes(definition) ? `${definition.subject}.<process>` : definition.subject;
  const kind = subject.includes('.cmd.') ? 'command' : 'query';
  return `| \`${subject}\` | ${kind} | ${who('says', subject)} | ${definition.merge === undefined ? '' : 'each: '}${who('hears', subject)} |`;
}

// `vitest run docs/messages-page.test.ts --update` writes the page.
test('docs/messages.md has every subject, who says it and who hears it', async () => {
  const events = CATALOG.map((event) => event.subject('x').replace(/[^.]+$/, '<stream>'));
  const page = [
    '# Messages',
    '',
    'Who says what to whom on which subject, from the definitions of messages and events and the rights of `nats.conf`. In one process the',
    'same messages go over a bus inside it.',
    '',
    '## Requests',
    '',
    'The reply goes to who asked. Several processes of one service share its requests; `each`: every process answers.',
    '',
    '| Subject | Kind | May ask | Answers |',
    '|---|---|---|---|',
    ...requests.map(rowOf).sort(),
    '',
    '## Events',
    '',
    'Copies of what is recorded, published by the relay. `<stream>` is a hash of its name.',
    '',
    '| Subject | Published by | May hear |',
    '|---|---|---|',
    ...events
      .sort()
      .map((subject) => `| \`${subject}\` | ${who('says', subject)} | ${who('hears', subject)} |`),
    '',
    '## Others',
    '',
    '| Subject | Meaning | Said by | Heard by |',
    '|---|---|---|---|',
    `| \`beleg.v1.progress.<token>\` | steps of an ask, for who follows it | ${who('says', 'beleg.v1.progress.x')} | ${who('hears', 'beleg.v1.progress.x')} |`,
    `| \`beleg.v1.vault.erased\` | the key of a text is gone | ${who('says', 'beleg.v1.vault.erased')} | ${who('hears', 'beleg.v1.vault.erased')} |`,
    `| \`beleg.v1.replay.>\` | recorded events, sent again on an operator's command | ${who('says', 'beleg.v1.replay.x')} | ${who('hears', 'beleg.v1.replay.x')} |`,
    '',
  ].join('\n');
  expect(USERS.map(({ user }) => user)).toContain('operator');
  await expect(page).toMatchFileSnapshot('messages.md');
});

test('every request is answered by somebody, and asked by somebody', () => {
  const subjectOf = (of: (typeof requests)[number]) => (TO_ONE.includes(of) ? `${of.subject}.x` : of.subject);
  expect(requests.length).toBeGreaterThan(40);
  expect(requests.map(subjectOf).filter((subject) => who('says', subject) === '–')).toEqual([]);
  expect(requests.map(subjectOf).filter((subject) => who('hears', subject) === '–')).toEqual([]);
});

test('every query that another process can answer waits for longer than it takes to notice a silent one', () => {
  /** Health, lag and lists of each process: what does not answer at once is itself the news. */
  const shown = requests.filter(({ timeoutMs }) => timeoutMs <= 2_000).map(({ subject }) => subject);
  expect(shown.filter((subject) => !/lag$|health$|instance|actors/.test(subject))).toEqual([]);
  const hasted = requests.filter(
    ({ subject, timeoutMs }) =>
      subject.includes('.qry.') && !shown.includes(subject) && timeoutMs <= NOTICED_AFTER_MS,
  );
  expect(hasted.map(({ subject }) => subject)).toEqual([]);
});
