/** A slip: the non-empty cells of its row, in known columns. */
export interface SlipRow {
  /** The number of the row as Excel shows it. */
  readonly line: number;
  readonly facts: readonly { readonly key: string; readonly value: string }[];
  /** A hash of the person that only this process can make, if runs are compared by a column. */
  readonly person: string | null;
}
