/** The `file` of a fault that concerns the whole folder. The fault's message then names the folder. */
export const WHOLE_FOLDER = '.';

/** A fault in a file of the base; `line` counts from 1, and is 0 if there is no line. */
export interface Fault {
  /** Relative to the base's folder. */
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** The base cannot be used. `faults` has all faults that were found, not only the first. */
export class KnowledgeBaseInvalid extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(`the knowledge base has ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`);
    this.name = 'KnowledgeBaseInvalid';
    this.faults = faults;
  }
}

/** Formats `file:line: message`, as compilers do. */
export function formatFault(fault: Fault): string {
  if (fault.file === WHOLE_FOLDER) return fault.message;
  return fault.line === 0
    ? `${fault.file}: ${fault.message}`
    : `${fault.file}:${fault.line}: ${fault.message}`;
}
