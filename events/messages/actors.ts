import { z } from 'zod';
import { defineRequest } from './define.ts';

/** A living actor. It shows ids and names, but no text that anybody wrote. */
export const ActorState = z.object({
  process: z.string().describe('Id of the process that it lives in; another one after each start'),
  kind: z.string().describe('`ask`, `training`, `market-update`, `reindex`, `engine`, `order` and the like'),
  id: z.string().describe('Which one of its kind: id of the request, order, run, update or account'),
  state: z
    .string()
    .describe('Name of its state, inner states after a dot; regions side by side after a space'),
  since: z.iso
    .datetime()
    .describe(
      'When it entered this state; with regions side by side, when it entered the state that they are all in',
    ),
  waits_for: z
    .array(z.string())
    .describe(
      'What ends its rest: work that it began, a pause, or events; with regions, that of all of them',
    ),
  regions: z
    .array(
      z.object({
        state: z.string(),
        since: z.iso.datetime().describe('When this region entered its state'),
        waits_for: z.array(z.string()).describe('What ends the rest of this region'),
      }),
    )
    .default([])
    .describe('The regions that stand side by side, each with its own time; empty where there are none'),
  children: z
    .array(
      z.object({
        id: z.string(),
        state: z.string(),
        since: z.iso.datetime().optional().describe('When it entered this state'),
        waits_for: z.array(z.string()).default([]).describe('What ends its rest'),
      }),
    )
    .describe('Actors that it supervises, which end with it'),
});
export type ActorState = z.output<typeof ActorState>;

export const ActorList = z.object({
  processes: z.int().nonnegative().describe('Number of processes that answered'),
  counts: z
    .array(z.object({ kind: z.string(), state: z.string(), count: z.int().positive() }))
    .describe('Number of actors by kind and state, all of them'),
  actors: z.array(ActorState).describe('Of each process at most the 1,000 that live longest'),
});
export type ActorList = z.output<typeof ActorList>;

/** Lists the living actors. Every process answers, even if no actor lives in it. */
export const ListActors = defineRequest({
  subject: 'beleg.v1.qry.actors.list',
  reply: ActorList,
  timeoutMs: 500,
  merge: (lists: readonly ActorList[]): ActorList => {
    const counts = new Map<string, ActorList['counts'][number]>();
    for (const { kind, state, count } of lists.flatMap((list) => list.counts)) {
      const key = `${kind} ${state}`;
      counts.set(key, { kind, state, count: count + (counts.get(key)?.count ?? 0) });
    }
    return {
      processes: lists.reduce((sum, { processes }) => sum + processes, 0),
      counts: [...counts.values()].sort((a, b) => compare(a.kind, b.kind) || compare(a.state, b.state)),
      actors: lists
        .flatMap(({ actors }) => actors)
        .sort((a, b) => compare(a.kind, b.kind) || compare(a.since, b.since)),
    };
  },
});

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
