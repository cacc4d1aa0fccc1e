import { Message } from './protobuf.ts';
import type { ElementType, Shape } from './tensor.ts';

// The field numbers are those of https://github.com/onnx/onnx/blob/v1.16.0/onnx/onnx.proto3.

/**
 * The first operator set in which all reductions take their axes as an input. ONNX Runtime 1.14 and later support it.
 */
const OPERATOR_SET = 18;
const IR_VERSION = 8;

/** The values of `TensorProto.DataType`. */
export const DATA_TYPES = {
  float32: 1,
  int64: 7,
  bool: 9,
  float64: 11,
} as const satisfies Record<ElementType, number>;

const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INTEGER = 2;
const ATTRIBUTE_INTEGERS = 7;

export type Attribute = number | readonly number[] | { readonly float: number };

export interface Node {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** An input or output of a graph. A dimension with a name may have any size. */
export interface Value {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly (number | string)[];
}

export interface Initializer {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: Shape;
  /** The bytes are little-endian. */
  readonly bytes: Uint8Array;
}

interface Model {
  readonly nodes: readonly Node[];
  readonly initializers: readonly Initializer[];
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
}

/** Encodes a `ModelProto`, the file format of ONNX. The same model gives the same bytes. */
export function encodeModel(model: Model): Uint8Array<ArrayBuffer> {
  const graph = new Message();
  for (const node of model.nodes) graph.message(1, encodeNode(node));
  graph.string(2, 'graph');
  for (const initializer of model.initializers) graph.message(5, encodeInitializer(initializer));
  for (const input of model.inputs) graph.message(11, encodeValue(input));
  for (const output of model.outputs) graph.message(12, encodeValue(output));
  return new Message()
    .integer(1, IR_VERSION)
    .string(2, 'beleg')
    .message(7, graph)
    .message(8, new Message().string(1, '').integer(2, OPERATOR_SET))
    .encoded();
}

function encodeNode({ operator, inputs, outputs, attributes }: Node): Message {
  const node = new Message();
  for (const input of inputs) node.string(1, input);
  for (const output of outputs) node.string(2, output);
  node.string(4, operator);
  for (const [name, value] of Object.entries(attributes)) node.message(5, encodeAttribute(name, value));
  return node;
}

function encodeAttribute(name: string, value: Attribute): Message {
  const attribute = new Message().string(1, name);
  if (typeof value === 'number') return attribute.integer(3, value).integer(20, ATTRIBUTE_INTEGER);
  if ('float' in value) return attribute.float(2, value.float).integer(20, ATTRIBUTE_FLOAT);
  for (const integer of value) attribute.integer(8, integer);
  return attribute.integer(20, ATTRIBUTE_INTEGERS);
}

function encodeInitializer({ name, type, shape, bytes }: Initializer): Message {
  const tensor = new Message();
  for (const dimension of shape) tensor.integer(1, dimension);
  return tensor.integer(2, DATA_TYPES[type]).string(8, name).bytes(9, bytes);
}

function encodeValue({ name, type, shape }: Value): Message {
  const dimensions = new Message();
  for (const size of shape) {
    const dimension = new Message();
    dimensions.message(1, typeof size === 'number' ? dimension.integer(1, size) : dimension.string(2, size));
  }
  const tensor = new Message().integer(1, DATA_TYPES[type]).message(2, dimensions);
  return new Message().string(1, name).message(2, new Message().message(1, tensor));
}
