type Numbers = Uint8Array | Uint32Array;

/** Numbers in a typed array that doubles when it is full, which takes a tenth of the memory of a plain array. */
class Growing<T extends Numbers> {
  readonly #make: (length: number) => T;
  values: T;
  length = 0;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.values = make(1024);
  }

  push(value: number): void {
    if (this.length === this.values.length) this.reserve(1);
    this.values[this.length++] = value;
  }

  /** Makes room for this many further numbers. */
  reserve(more: number): void {
    const { length } = this.values;
    if (this.length + more <= length) return;
    const values = this.values;
    this.values = this.#make(Math.max(2 * length, this.length + more));
    this.values.set(values);
  }

  toArray(): T {
    return this.values.slice(0, this.length) as T;
  }
}

export class GrowingNumbers extends Growing<Uint32Array> {
  constructor() {
    super((length) => new Uint32Array(length));
  }
}

export class GrowingBytes extends Growing<Uint8Array> {
  constructor() {
    super((length) => new Uint8Array(length));
  }
}
