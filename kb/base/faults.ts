/** Something wrong with a file of the base; `line` counts from 1, 0 where no line can be named. */
export interface Fault {
  /** Relative to the base's folder. */
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** The base cannot be used as it is. `faults` holds all that was found, not the first alone. */
export class KnowledgeBaseInvalid extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(`the knowledge base has ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`);
    this.name = 'KnowledgeBaseInvalid';
    this.faults = faults;
  }
}

/** `file:line: message`, as compilers write it. */
export function formatFault(fault: Fault): string {
  return fault.line === 0
    ? `${fault.file}: ${fault.message}`
    : `${fault.file}:${fault.line}: ${fault.message}`;
}
