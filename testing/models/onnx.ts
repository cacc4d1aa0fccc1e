/** Element types of ONNX tensors (`TensorProto.DataType`). */
export const FLOAT = 1;
export const INT64 = 7;

/** An integer, integers, or `{ float }`. */
export type Attribute = number | readonly number[] | { readonly float: number };

type Dimension = number | string;

/**
 * Writes an ONNX model with the part of its protobuf schema (`onnx.proto`, IR version 8, opset 17) that a small encoder
 * needs. The graph names values; a method returns the name of what it adds.
 */
export class OnnxGraph {
  readonly #nodes: Buffer[] = [];
  readonly #initializers: Buffer[] = [];
  readonly #inputs: Buffer[] = [];
  readonly #outputs: Buffer[] = [];
  readonly #named = new Set<string>();
  #next = 0;

  /** Adds a weight; the same name is the same weight. */
  weight(name: string, dims: readonly number[], values: Float32Array): string {
    return this.#initializer(name, FLOAT, dims, values);
  }

  floats(values: readonly number[], dims: readonly number[] = [values.length]): string {
    return this.#initializer(this.#name(), FLOAT, dims, Float32Array.from(values));
  }

  ints(values: readonly number[], dims: readonly number[] = [values.length]): string {
    return this.#initializer(this.#name(), INT64, dims, BigInt64Array.from(values, BigInt));
  }

  /** Adds an operator with one output. */
  node(
    operator: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
  ): string {
    return this.split(operator, inputs, 1, attributes)[0]!;
  }

  /** Adds an operator with several outputs. */
  split(
    operator: string,
    inputs: readonly string[],
    count: number,
    attributes: Readonly<Record<string, Attribute>> = {},
  ): string[] {
    const outputs = Array.from({ length: count }, () => this.#name());
    this.#nodes.push(
      message(
        ...inputs.map((input) => bytes(1, input)),
        ...outputs.map((output) => bytes(2, output)),
        bytes(3, `${operator}_${this.#nodes.length}`),
        bytes(4, operator),
        ...Object.entries(attributes).map(([name, value]) => bytes(5, attributeProto(name, value))),
      ),
    );
    return outputs;
  }

  input(name: string, type: number, dims: readonly Dimension[]): string {
    this.#inputs.push(valueInfo(name, type, dims));
    return name;
  }

  /** Gives a value the name of an output. */
  output(value: string, name: string, dims: readonly Dimension[]): void {
    this.#nodes.push(
      message(bytes(1, value), bytes(2, name), bytes(3, `output_${name}`), bytes(4, 'Identity')),
    );
    this.#outputs.push(valueInfo(name, FLOAT, dims));
  }

  encode(producer: string): Buffer {
    const graph = message(
      ...this.#nodes.map((node) => bytes(1, node)),
      bytes(2, producer),
      ...this.#initializers.map((tensor) => bytes(5, tensor)),
      ...this.#inputs.map((info) => bytes(11, info)),
      ...this.#outputs.map((info) => bytes(12, info)),
    );
    return message(
      integer(1, 8),
      bytes(2, producer),
      bytes(7, graph),
      bytes(8, message(bytes(1, ''), integer(2, 17))),
    );
  }

  #initializer(
    name: string,
    type: number,
    dims: readonly number[],
    values: Float32Array | BigInt64Array,
  ): string {
    if (this.#named.has(name)) return name;
    this.#named.add(name);
    const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    this.#initializers.push(
      message(...dims.map((dim) => integer(1, dim)), integer(2, type), bytes(8, name), bytes(9, raw)),
    );
    return name;
  }

  #name(): string {
    return `v${this.#next++}`;
  }
}

function attributeProto(name: string, value: Attribute): Buffer {
  if (typeof value === 'number') return message(bytes(1, name), integer(3, value), integer(20, 2));
  if ('float' in value) return message(bytes(1, name), float(2, value.float), integer(20, 1));
  return message(bytes(1, name), ...value.map((one) => integer(8, one)), integer(20, 7));
}

function valueInfo(name: string, type: number, dims: readonly Dimension[]): Buffer {
  const shape = message(
    ...dims.map((dim) => bytes(1, message(typeof dim === 'string' ? bytes(2, dim) : integer(1, dim)))),
  );
  return message(bytes(1, name), bytes(2, message(bytes(1, message(integer(1, type), bytes(2, shape))))));
}

/** The protobuf wire format: varint, length-delimited, 32 bit. */
function varint(value: number): Buffer {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    out.push(rest === 0n ? low : low | 128);
  } while (rest !== 0n);
  return Buffer.from(out);
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function float(field: number, value: number): Buffer {
  const four = Buffer.alloc(4);
  four.writeFloatLE(value);
  return Buffer.concat([varint((field << 3) | 5), four]);
}

function bytes(field: number, value: Buffer | string): Buffer {
  const content = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
}

function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}
