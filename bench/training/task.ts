import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ADAMW } from '../../services/models/network/optimizer.ts';
import type { Parameter } from '../../services/models/network/parameters.ts';
import type { NetworkSpec } from '../../services/models/network/spec.ts';

/** What all that are compared do, told by files, because one of them is written in Python. */
export interface Task {
  readonly spec: NetworkSpec;
  readonly batch_size: number;
  /** How many batches there are; after the last one comes the first one again. */
  readonly batches: number;
  /** Figures that the network gives for a window. */
  readonly outputs: number;
  /** Where each lies in the flat vector. */
  readonly parameters: readonly Parameter[];
  /** The learning rates of the first steps. Later steps use the last one. */
  readonly learning_rates: readonly number[];
  readonly optimizer: typeof ADAMW;
}

/** All of them in a row: parameters; batches × windows × days × features; batches × windows × outputs. */
export interface Numbers {
  readonly parameters: Float32Array<ArrayBuffer>;
  readonly inputs: Float32Array<ArrayBuffer>;
  readonly targets: Float32Array<ArrayBuffer>;
}

export interface Batch {
  readonly inputs: Float32Array<ArrayBuffer>;
  readonly targets: Float32Array<ArrayBuffer>;
}

const NUMBERS = ['parameters', 'inputs', 'targets'] as const;

export async function writeTask(folder: string, task: Task, numbers: Numbers): Promise<void> {
  await writeFile(join(folder, 'task.json'), JSON.stringify(task));
  for (const name of NUMBERS) await writeFile(join(folder, `${name}.f32`), numbers[name]);
}

export async function readTask(folder: string): Promise<{ task: Task; numbers: Numbers }> {
  const task = JSON.parse(await readFile(join(folder, 'task.json'), 'utf8')) as Task;
  const read = async (name: (typeof NUMBERS)[number]) => {
    const bytes = await readFile(join(folder, `${name}.f32`));
    return new Float32Array(new Uint8Array(bytes).buffer);
  };
  const [parameters, inputs, targets] = await Promise.all(NUMBERS.map(read));
  return { task, numbers: { parameters: parameters!, inputs: inputs!, targets: targets! } };
}

export function batchAt({ batches }: Task, { inputs, targets }: Numbers, index: number): Batch {
  const part = (values: Float32Array<ArrayBuffer>) => {
    const size = values.length / batches;
    const from = (index % batches) * size;
    return values.subarray(from, from + size);
  };
  return { inputs: part(inputs), targets: part(targets) };
}

/** The initial parameters by name. */
export function initialOf(
  { parameters }: Task,
  { parameters: flat }: Numbers,
): Map<string, Float32Array<ArrayBuffer>> {
  return new Map(parameters.map(({ name, offset, size }) => [name, flat.slice(offset, offset + size)]));
}
