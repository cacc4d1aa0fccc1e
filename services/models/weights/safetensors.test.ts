import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decodeSafetensors, encodeSafetensors, SafetensorsError, type Tensor } from './safetensors.ts';
import { decodeSealed, encodeSealed, numbersOf } from './sealed-file.ts';

const sized = <D extends Tensor['dtype']>(dtype: D, data: Extract<Tensor, { dtype: D }>['data']): Tensor =>
  ({ dtype, shape: [data.length], data }) as Tensor;

const size = { maxLength: 9 };
const AnyTensor: fc.Arbitrary<Tensor> = fc.oneof(
  fc.float64Array(size).map((data) => sized('F64', data)),
  fc.float32Array(size).map((data) => sized('F32', data)),
  fc.int32Array(size).map((data) => sized('I32', data)),
  fc.uint8Array(size).map((data) => sized('U8', data)),
);
const name = fc.oneof(
  fc.string({ maxLength: 6, unit: 'binary' }),
  fc.constantFrom('__proto__', 'constructor', '7'),
);
const AnyFile = fc.record({
  tensors: fc
    .uniqueArray(fc.tuple(name, AnyTensor), { selector: ([name]) => name, maxLength: 6 })
    .map((tensors) => new Map(tensors)),
  metadata: fc.dictionary(fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 })),
});

const bitsOf = (tensors: ReadonlyMap<string, Tensor>) =>
  [...tensors]
    .map(([name, { dtype, shape, data }]) => ({
      name,
      dtype,
      shape,
      bytes: [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)],
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/** A file with this header, followed by `data` bytes. */
function fileOf(header: unknown, data = 0): Uint8Array {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const bytes = Buffer.alloc(8 + text.length + data);
  bytes.writeBigUInt64LE(BigInt(text.length));
  text.copy(bytes, 8);
  return bytes;
}

const entry = (data_offsets: unknown, shape: unknown = [1], dtype: unknown = 'F32') => ({
  dtype,
  shape,
  data_offsets,
});

describe('a file of tensors', () => {
  it('has what was put into it, bit for bit', () => {
    fc.assert(
      fc.property(AnyFile, (file) => {
        const { tensors, metadata } = decodeSafetensors(encodeSafetensors(file));
        expect(bitsOf(tensors)).toEqual(bitsOf(file.tensors));
        expect(Object.entries(metadata)).toEqual(Object.entries(file.metadata));
      }),
    );
  });

  it('is as the format says, numbers where they can be read in place', () => {
    const bytes = encodeSafetensors({
      tensors: new Map([
        ['b', { dtype: 'U8', shape: [3], data: Uint8Array.of(7, 8, 9) }],
        ['a', { dtype: 'F32', shape: [2, 1], data: Float32Array.of(1, -2) }],
      ]),
      metadata: { by: 'me' },
    });
    const header =
      '{"__metadata__":{"by":"me"},"a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},' +
      '"b":{"dtype":"U8","shape":[3],"data_offsets":[8,11]}}';
    const padded = header.padEnd(Math.ceil(header.length / 8) * 8);
    expect(bytes.subarray(0, 8)).toEqual(Uint8Array.of(padded.length, 0, 0, 0, 0, 0, 0, 0));
    expect(Buffer.from(bytes.subarray(8, 8 + padded.length)).toString()).toBe(padded);
    expect([...bytes.subarray(8 + padded.length)]).toEqual([0, 0, 128, 63, 0, 0, 0, 192, 7, 8, 9]);
  });

  it('is not written where a shape is not that of its numbers', () => {
    const tensors = new Map([['a', { dtype: 'U8' as const, shape: [2], data: new Uint8Array(3) }]]);
    expect(() => encodeSafetensors({ tensors, metadata: {} })).toThrow(RangeError);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['is empty', new Uint8Array(), /0 bytes is too short/],
    ['ends in its length', new Uint8Array(7), /7 bytes is too short/],
    ['has a header beyond its end', Buffer.from([9, 0, 0, 0, 0, 0, 0, 0, 0x7b]), /header of 9 bytes/],
    ['has a header of 2^64 - 1 bytes', new Uint8Array(64).fill(255), /header of 18446744073709551615/],
    ['has no JSON', fileOf('{"a"'), /not JSON/],
    ['has no UTF-8', Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0xff]), /not JSON/],
    ['has a list for a header', fileOf([]), /not a JSON object/],
    ['has null for a header', fileOf('null'), /not a JSON object/],
    ['has metadata that are no texts', fileOf({ __metadata__: { a: 1 } }), /__metadata__: a/],
    ['has a type that is not read', fileOf({ a: entry([0, 2], [1], 'BF16') }, 2), /tensor a: dtype/],
    ['has a field too many', fileOf({ a: { ...entry([0, 4]), more: 1 } }, 4), /tensor a/],
    ['has a negative shape', fileOf({ a: entry([0, 4], [-1]) }, 4), /tensor a: shape/],
    [
      'has a shape beyond numbers',
      fileOf({ a: entry([0, 4], Array(8).fill(2 ** 53 - 1)) }, 4),
      /4 bytes do not fit/,
    ],
    ['has a shape without end', fileOf({ a: entry([0, 4], Array(99).fill(1)) }, 4), /tensor a: shape/],
    ['has a fraction', fileOf({ a: entry([0, 4], [0.5]) }, 4), /tensor a: shape/],
    ['has a size that is not its shape', fileOf({ a: entry([0, 8]) }, 8), /8 bytes do not fit \[1\] of F32/],
    ['has a tensor backwards', fileOf({ a: entry([0, -4]) }, 4), /data_offsets/],
    ['has a tensor beyond its end', fileOf({ a: entry([0, 4]) }, 3), /after the end of the file/],
    ['has an overlap', fileOf({ a: entry([0, 4]), b: entry([2, 6]) }, 6), /b starts at byte 2 instead of 4/],
    ['has a gap', fileOf({ a: entry([0, 4]), b: entry([5, 9]) }, 9), /b starts at byte 5 instead of 4/],
    ['has something left over', fileOf({ a: entry([0, 4]) }, 5), /1 bytes do not belong to any tensor/],
    ['has only __proto__', fileOf('{"__proto__":{"x":1}}'), /tensor __proto__/],
  ])('that %s is refused', (_, bytes, message) => {
    expect(() => decodeSafetensors(bytes)).toThrow(SafetensorsError);
    expect(() => decodeSafetensors(bytes)).toThrow(message);
  });

  it('that is anything at all is read or refused, and never a crash', () => {
    const header = fc.oneof(
      fc.json(),
      fc.dictionary(name, fc.anything()),
      fc.dictionary(
        name,
        fc.record({
          dtype: fc.constantFrom('F32', 'F64', 'U8', 'F16'),
          shape: fc.array(fc.oneof(fc.nat(4), fc.double())),
          data_offsets: fc.array(fc.oneof(fc.nat(20), fc.double()), { minLength: 1, maxLength: 3 }),
        }),
      ),
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.tuple(header, fc.nat(20)).map(([header, data]) => fileOf(header ?? null, data)),
    );
    fc.assert(
      fc.property(bytes, (bytes) => {
        try {
          decodeSafetensors(bytes);
        } catch (error) {
          if (!(error instanceof SafetensorsError)) throw error;
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a sealed file', () => {
  const kind = { name: 'test', description: z.object({ n: z.number(), text: z.string() }) };
  const seal = (text: string, data: Float32Array) =>
    encodeSealed(kind, { n: 0.1, text }, new Map([['x', sized('F32', data)]]));

  it('has what was put into it', () => {
    fc.assert(
      fc.property(fc.string(), fc.float32Array(), (text, data) => {
        const { description, tensors } = decodeSealed(kind, seal(text, data));
        expect(description).toEqual({ n: 0.1, text });
        expect(numbersOf(tensors, 'x', 'F32', [data.length])).toEqual(data);
      }),
    );
  });

  it.each(['', '"checksum":"', '\\"checksum\\":\\"'])(
    'is refused with any bit of it changed (%s)',
    (text) => {
      const bytes = seal(text, Float32Array.of(1, 2, 3));
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const damaged = bytes.slice();
        damaged[bit >> 3]! ^= 1 << (bit & 7);
        expect(() => decodeSealed(kind, damaged)).toThrow(SafetensorsError);
      }
    },
  );

  it('is refused cut short or grown', () => {
    const bytes = seal('text', Float32Array.of(1, 2, 3));
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeSealed(kind, bytes.slice(0, length))).toThrow(SafetensorsError);
    }
    expect(() => decodeSealed(kind, Buffer.concat([bytes, Buffer.alloc(1)]))).toThrow(SafetensorsError);
  });

  it('is refused where it is of another kind, or says what its kind does not', () => {
    const bytes = seal('text', Float32Array.of(1));
    expect(() => decodeSealed({ ...kind, name: 'other' }, bytes)).toThrow('not a file of other');
    expect(() => decodeSealed({ ...kind, description: z.object({ n: z.string() }) }, bytes)).toThrow(
      /description: n/,
    );
    expect(() => encodeSealed(kind, { n: Number.NaN, text: '' }, new Map())).toThrow(z.ZodError);
  });

  it('misses a tensor that is not as it should be', () => {
    const { tensors } = decodeSealed(kind, seal('', Float32Array.of(1)));
    expect(() => numbersOf(tensors, 'y', 'F32', [1])).toThrow('the tensor y of [1] F32 is missing');
    expect(() => numbersOf(tensors, 'x', 'F64', [1])).toThrow(SafetensorsError);
    expect(() => numbersOf(tensors, 'x', 'F32', [1, 1])).toThrow(SafetensorsError);
  });
});
