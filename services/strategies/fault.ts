interface FaultOf {
  readonly file?: string | null | undefined;
  readonly line?: number | null | undefined;
  readonly isLate?: boolean;
}

/** A fault of a strategy, with its place if it is known. */
export class StrategyFault extends Error {
  readonly file: string | null;
  readonly line: number | null;
  /** Its time limit was reached. That may also be the fault of a busy machine. */
  readonly isLate: boolean;

  constructor(detail: string, { file = null, line = null, isLate = false }: FaultOf = {}, cause?: unknown) {
    super(detail, { cause });
    this.name = 'StrategyFault';
    this.file = file;
    this.line = line;
    this.isLate = isLate;
  }

  /** The message for people, with the fault's place in front. */
  get told(): string {
    return placed(this.message, this);
  }
}

/** A fault with its place in front, as compilers write it. */
export function placed(
  detail: string,
  { file, line }: { readonly file: string | null; readonly line: number | null },
): string {
  if (file === null) return detail;
  return `${file}${line === null ? '' : `:${line}`}: ${detail}`;
}
