import { z } from 'zod';
import { defineRequest } from './define.ts';

/** The followers of the record: the tables of audit and of trading, the relay, and the maker of checkpoints. */
export const FOLLOWERS = ['audit', 'trading', 'relay', 'checkpoints'] as const;
export type FollowerName = (typeof FOLLOWERS)[number];

/** Milliseconds that a follower must have been behind, while the record was available, before health reports it. */
export const BEHIND_MS = 10_000;

/** The most waiting events that are counted for a follower: more would cost reads and tell operators nothing new. */
export const MOST_COUNTED = 1_000;

/** How far a follower is behind the record, measured from the record. */
export const Lag = z.object({
  name: z.enum(FOLLOWERS),
  seconds: z.number().nonnegative().describe('Age of the oldest event that it has not processed yet'),
  events: z.int().nonnegative().describe('Number of events that it has not processed yet'),
  at_least: z
    .literal(true)
    .exactOptional()
    .describe('True if there may be more: only the newest 1,000 were counted. Absent otherwise'),
  fault: z
    .enum(['ahead_of_record', 'file_not_written', 'record_damaged'])
    .exactOptional()
    .describe(
      'ahead_of_record: it has processed events that the record does not have, because an older record was put back; it begins again by itself. file_not_written: checkpoints cannot be written outside the record. record_damaged: the record, or its last checkpoint, cannot be read to its end: audit verify says where, and a backup mends it. Absent if there is none',
    ),
  kept_since: z.iso
    .datetime()
    .exactOptional()
    .describe(
      'Of the relay: since when published events are kept in NATS, if their stream is full before their days are over. Subscribers that were away for longer miss events; the record has them all. Absent otherwise',
    ),
  foreign: z
    .int()
    .positive()
    .exactOptional()
    .describe(
      'Of the relay: the number of messages that others have published among the events in NATS, which only the relay may. Subscribers get them; the record has none of them. Absent if there are none',
    ),
  behind: z
    .boolean()
    .describe('True if it has been behind for ten seconds although the record was available'),
});

const FollowerReply = Lag.extend({
  /**
   * Whether the clock of the follower's process was set back, or differs from that of the bus. Processes of earlier
   * versions do not send this field.
   */
  clock_wrong: z.boolean().default(false),
  /** Whether the follower's process cannot read the record now, so that nobody knows how far it is behind. */
  record_away: z.boolean().default(false),
});

export type FollowerLag = z.output<typeof FollowerReply>;

/** What is to be known of the events that a relay has published. */
export type Published = Pick<FollowerLag, 'kept_since' | 'foreign'>;

/** The service whose process runs the follower. */
export const contextOf = (name: FollowerName): 'audit' | 'trading' =>
  name === 'trading' ? 'trading' : 'audit';

const NOUNS: Record<FollowerName, string> = {
  audit: 'lag',
  trading: 'lag',
  relay: 'relay_lag',
  checkpoints: 'checkpoints_lag',
};

/** The request for the lag of one follower, which the process that runs it answers. */
export const lagOf = (name: FollowerName) =>
  defineRequest({
    subject: `beleg.v1.qry.${contextOf(name)}.${NOUNS[name]}`,
    reply: FollowerReply,
    timeoutMs: 2_000,
  });
