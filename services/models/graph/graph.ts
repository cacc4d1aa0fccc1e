import { encodeModel, type Attribute, type Initializer, type Node, type Value } from './onnx.ts';
import {
  elements,
  sameShape,
  ShapeError,
  type ElementType,
  type Precision,
  type Shape,
  type Tensor,
} from './tensor.ts';

/** How to compute the gradient of each input of an operator. It is called only for inputs that need one. */
type Backward = (...gradients: Tensor[]) => readonly (() => Tensor)[];

interface Step {
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  readonly backward: Backward;
}

interface InputOptions {
  readonly type?: ElementType;
  /** A name for the first axis, whose size is chosen when the graph runs. The size in the shape is an example. */
  readonly anyFirst?: string;
}

/**
 * A graph of ONNX operators with shapes known in advance, built node by node, and differentiated in reverse mode: the
 * gradients become nodes of the same graph. Operators with a gradient are functions in the files beside this one.
 */
export class Graph {
  readonly precision: Precision;
  readonly #nodes: Node[] = [];
  readonly #initializers: Initializer[] = [];
  readonly #inputs: Value[] = [];
  readonly #outputs: Value[] = [];
  readonly #constants = new Map<string, Tensor>();
  readonly #variables = new Set<string>();
  readonly #steps: Step[] = [];
  #recording = true;
  #names = 0;

  constructor(precision: Precision) {
    this.precision = precision;
  }

  input(name: string, shape: Shape, { type = this.precision, anyFirst }: InputOptions = {}): Tensor {
    this.#inputs.push({ name, type, shape: anyFirst === undefined ? shape : [anyFirst, ...shape.slice(1)] });
    return { name, shape, type };
  }

  output(name: string, tensor: Tensor, { anyFirst }: Pick<InputOptions, 'anyFirst'> = {}): void {
    const { shape, type } = tensor;
    this.#nodes.push({ operator: 'Identity', inputs: [tensor.name], outputs: [name], attributes: {} });
    this.#outputs.push({ name, type, shape: anyFirst === undefined ? shape : [anyFirst, ...shape.slice(1)] });
  }

  /** A constant of the graph, in its precision. */
  constant(values: ArrayLike<number>, shape: Shape, name = this.#newName()): Tensor {
    if (values.length !== elements(shape)) {
      throw new ShapeError('Constant', `${values.length} values do not fit this shape`, shape);
    }
    const array = this.precision === 'float64' ? new Float64Array(values) : new Float32Array(values);
    return this.#initializer({ name, type: this.precision, shape, bytes: new Uint8Array(array.buffer) });
  }

  scalar(value: number): Tensor {
    return this.#once(`scalar ${value}`, () => this.constant([value], []));
  }

  zeros(shape: Shape): Tensor {
    return this.#once(`zeros ${shape.join()}`, () => this.constant(new Float64Array(elements(shape)), shape));
  }

  /** Integers that ONNX takes as inputs rather than as attributes: axes, shapes, sizes. */
  integers(values: readonly number[]): Tensor {
    return this.#once(`integers ${values.join()}`, () => {
      const bytes = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
      return this.#initializer({ name: this.#newName(), type: 'int64', shape: [values.length], bytes });
    });
  }

  /** Adds an ONNX operator with one output. It has no gradient until `record` gives it one. */
  node(
    operator: string,
    inputs: readonly Tensor[],
    shape: Shape,
    attributes: Readonly<Record<string, Attribute>> = {},
    type: ElementType = this.precision,
  ): Tensor {
    return this.nodeOf(operator, inputs, [shape], attributes, type)[0]!;
  }

  /** Adds an ONNX operator with one output for each of these shapes. */
  nodeOf(
    operator: string,
    inputs: readonly Tensor[],
    shapes: readonly Shape[],
    attributes: Readonly<Record<string, Attribute>> = {},
    type: ElementType = this.precision,
  ): Tensor[] {
    const outputs = shapes.map((shape) => ({ name: this.#newName(), shape, type }));
    this.#nodes.push({ operator, inputs: namesOf(inputs), outputs: namesOf(outputs), attributes });
    return outputs;
  }

  /** Makes a tensor for which gradients are wanted: an input, or one made from it. */
  variable(tensor: Tensor): Tensor {
    this.#variables.add(tensor.name);
    return tensor;
  }

  /** Records how gradients flow from these outputs back to these inputs. */
  record(inputs: readonly Tensor[], outputs: readonly Tensor[], backward: Backward): void {
    if (!this.#recording || !inputs.some(({ name }) => this.#variables.has(name))) return;
    for (const { name } of outputs) this.#variables.add(name);
    this.#steps.push({ inputs, outputs, backward });
  }

  /**
   * The gradients of the sum of all elements of `of` with respect to each variable, each in the shape of its variable;
   * zeros if `of` does not depend on it. Gradients cannot be differentiated again.
   *
   * @throws {ShapeError} if an operator's gradient does not have the shape of its input, which is a defect of the
   * operator.
   */
  gradients(of: Tensor, variables: readonly Tensor[]): Tensor[] {
    const gradients = new Map<string, Tensor>();
    gradients.set(of.name, this.constant(new Float64Array(elements(of.shape)).fill(1), of.shape));
    this.#recording = false;
    try {
      for (const step of this.#steps.toReversed()) this.#goBack(step, gradients);
    } finally {
      this.#recording = true;
    }
    return variables.map(({ name, shape }) => gradients.get(name) ?? this.zeros(shape));
  }

  #goBack({ inputs, outputs, backward }: Step, gradients: Map<string, Tensor>): void {
    if (!outputs.some(({ name }) => gradients.has(name))) return;
    const parts = backward(...outputs.map(({ name, shape }) => gradients.get(name) ?? this.zeros(shape)));
    for (const [at, { name, shape }] of inputs.entries()) {
      const part = this.#variables.has(name) ? parts[at]?.() : undefined;
      if (part === undefined) continue;
      if (!sameShape(part.shape, shape)) {
        throw new ShapeError('Gradient', 'a gradient must have the shape of its input', part.shape, shape);
      }
      const others = gradients.get(name);
      gradients.set(name, others === undefined ? part : this.node('Add', [others, part], shape));
    }
  }

  /** The graph as an ONNX file. */
  encoded(): Uint8Array<ArrayBuffer> {
    return encodeModel({
      nodes: this.#nodes,
      initializers: this.#initializers,
      inputs: this.#inputs,
      outputs: this.#outputs,
    });
  }

  #initializer(initializer: Initializer): Tensor {
    this.#initializers.push(initializer);
    const { name, shape, type } = initializer;
    return { name, shape, type };
  }

  #once(key: string, make: () => Tensor): Tensor {
    const tensor = this.#constants.get(key) ?? make();
    this.#constants.set(key, tensor);
    return tensor;
  }

  #newName(): string {
    return `t${this.#names++}`;
  }
}

function namesOf(tensors: readonly Tensor[]): string[] {
  return tensors.map(({ name }) => name);
}
