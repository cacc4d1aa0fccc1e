import { once } from 'node:events';
import { credentials } from '@grpc/grpc-js';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newStream, testEvents, useStandIn } from './client.suite.ts';
import { empty, streamName, uuidOf, uuidText } from './protocol.ts';

const bench = useStandIn();
const { Expression } = pb.ReadReq.Options.FilterOptions;
let raw: services.StreamsClient;
beforeAll(() => {
  raw = new services.StreamsClient(`127.0.0.1:${bench.standIn.port}`, credentials.createInsecure());
});
afterAll(() => raw.close());

/** Reads `$all` as this client cannot: with a filter but no subscription, and with ids as two halves. */
async function readFiltered(
  filter: pb.ReadReq.Options.FilterOptions,
  backwards: boolean,
  count: number,
): Promise<pb.ReadResp.ReadEvent.RecordedEvent[]> {
  const all = new pb.ReadReq.Options.AllOptions();
  const options = new pb.ReadReq.Options()
    .setAll(backwards ? all.setEnd(empty()) : all.setStart(empty()))
    .setReadDirection(pb.ReadReq.Options.ReadDirection[backwards ? 'BACKWARDS' : 'FORWARDS'])
    .setCount(String(count))
    .setFilter(filter)
    .setUuidOption(new pb.ReadReq.Options.UUIDOption().setStructured(empty()));
  const call = raw.read(new pb.ReadReq().setOptions(options));
  const events: pb.ReadResp.ReadEvent.RecordedEvent[] = [];
  call.on('data', (response: pb.ReadResp) => events.push(response.getEvent()!.getEvent()!));
  await once(call, 'end');
  return events;
}

describe('a filtered read of $all', () => {
  const [wanted, other] = [newStream('wanted'), newStream('other')];
  const events = testEvents(4, 'kept');
  beforeAll(async () => {
    await bench.client.appendToStream(wanted, events);
    await bench.client.appendToStream(other, testEvents(4, 'left'));
  });

  it.each([
    ['a stream by prefix', new Expression().setPrefixList([wanted]), 'stream'],
    ['a stream by expression', new Expression().setRegex(`^${wanted}$`), 'stream'],
    ['a type by prefix', new Expression().setPrefixList(['kep']), 'type'],
    ['a type by expression', new Expression().setRegex('^kept$'), 'type'],
  ] as const)('%s, both ways; the limit counts what matches', async (_, expression, by) => {
    const filter = new pb.ReadReq.Options.FilterOptions().setCount(empty());
    if (by === 'stream') filter.setStreamIdentifier(expression);
    else filter.setEventType(expression);
    const forwards = await readFiltered(filter, false, 100);
    expect(forwards.map((event) => uuidText(event.getId()))).toEqual(events.map((event) => event.id));
    expect(forwards.every((event) => event.getId()!.hasStructured())).toBe(true);
    expect(forwards.map((event) => streamName(event.getStreamIdentifier()))).toEqual(
      events.map(() => wanted),
    );
    const backwards = await readFiltered(filter, true, 3);
    expect(backwards.map((event) => uuidText(event.getId()))).toEqual(
      events
        .map((event) => event.id)
        .reverse()
        .slice(0, 3),
    );
  });
});

it('an id in two halves is the same id', () => {
  const id = 'fedcba98-7654-8210-8123-456789abcdef';
  const halves = uuidOf(id, 'halves').getStructured()!;
  expect(halves.getMostSignificantBits()).toBe(String(BigInt.asIntN(64, 0xfedcba9876548210n)));
  expect(uuidText(uuidOf(id, 'halves'))).toBe(id);
});
