import type { ModelFacts } from './messages.ts';

/** A model at work in its process. */
export interface Task {
  readonly facts: ModelFacts;
  /** Runs one input at a time. A result after a cancel is thrown away. */
  run(input: unknown, isCancelled: () => boolean): Promise<unknown>;
}

/** A fault of one run; its name may be logged. */
export class TaskFault extends Error {
  constructor(name: string) {
    super(name);
    this.name = name;
  }
}
