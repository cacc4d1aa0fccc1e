/** A slip: the cells of its row that are not empty, in columns that are known. */
export interface SlipRow {
  /** The number of the row as Excel shows it. */
  readonly line: number;
  readonly facts: readonly { readonly key: string; readonly value: string }[];
  /** Who it is of, where runs are compared by a column: a hash that only this process can make. */
  readonly person: string | null;
}
