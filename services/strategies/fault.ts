/** A strategy's own fault: what is wrong with it, and where, as far as that is known. */
export class StrategyFault extends Error {
  readonly file: string | null;
  readonly line: number | null;

  constructor(
    detail: string,
    { file = null, line = null }: { file?: string | null | undefined; line?: number | null | undefined } = {},
    cause?: unknown,
  ) {
    super(detail, { cause });
    this.name = 'StrategyFault';
    this.file = file;
    this.line = line;
  }

  /** For people: with its place in front, as compilers write it. */
  get told(): string {
    if (this.file === null) return this.message;
    return `${this.file}${this.line === null ? '' : `:${this.line}`}: ${this.message}`;
  }
}
