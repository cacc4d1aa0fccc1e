import { expect, test } from 'vitest';
import { Message } from './protobuf.ts';

// Bytes as in https://protobuf.dev/programming-guides/encoding/
test.each([
  ['an integer', new Message().integer(1, 150), [0x08, 0x96, 0x01]],
  ['0', new Message().integer(1, 0), [0x08, 0x00]],
  [
    'a negative integer',
    new Message().integer(1, -2),
    [0x08, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  ],
  ['a field of a higher number', new Message().integer(20, 7), [0xa0, 0x01, 0x07]],
  ['a float', new Message().float(2, 1.5), [0x15, 0x00, 0x00, 0xc0, 0x3f]],
  ['a string', new Message().string(2, 'testing'), [0x12, 0x07, ...Buffer.from('testing')]],
  ['text beyond ASCII', new Message().string(2, 'ß'), [0x12, 0x02, 0xc3, 0x9f]],
  ['a message', new Message().message(3, new Message().integer(1, 150)), [0x1a, 0x03, 0x08, 0x96, 0x01]],
])('writes %s', (_, message, bytes) => {
  expect([...message.encoded()]).toEqual(bytes);
});

test('grows with what is written', () => {
  const long = new Uint8Array(100_000).fill(7);
  const bytes = new Message().bytes(1, long).integer(2, 1).encoded();
  expect(bytes.length).toBe(1 + 3 + long.length + 2);
  expect(bytes.subarray(4, 4 + long.length)).toEqual(long);
});
