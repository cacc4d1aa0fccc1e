import type { ModelFacts } from './messages.ts';

/** A loaded model in its process. */
export interface Task {
  readonly facts: ModelFacts;
  /** Runs one input at a time. The result of a cancelled run is ignored. */
  run(input: unknown, isCancelled: () => boolean): Promise<unknown>;
}

/** The fault of one run; its name may be logged. */
export class TaskFault extends Error {
  constructor(name: string) {
    super(name);
    this.name = name;
  }
}
