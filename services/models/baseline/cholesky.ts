/** A square matrix, row by row. */
type Matrix = Float64Array;

/**
 * The lower triangle L of A = L Lᵀ for a symmetric, positive definite A, of which only the lower triangle is read.
 * (Golub, Van Loan, Matrix Computations, 4.2)
 *
 * @throws {RangeError} where A is not positive definite.
 */
export function cholesky(a: Matrix, size: number): Matrix {
  const lower = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = a[row * size + column]!;
      for (let at = 0; at < column; at++) sum -= lower[row * size + at]! * lower[column * size + at]!;
      if (row !== column) {
        lower[row * size + column] = sum / lower[column * size + column]!;
      } else if (sum > 0) {
        lower[row * size + row] = Math.sqrt(sum);
      } else {
        throw new RangeError(`the matrix is not positive definite at row ${row}: ${sum}`);
      }
    }
  }
  return lower;
}

/** Solves A x = b, where A = L Lᵀ and L is the result of `cholesky`. */
export function choleskySolve(lower: Matrix, b: Float64Array): Float64Array {
  const size = b.length;
  const x = b.slice();
  for (let row = 0; row < size; row++) {
    for (let at = 0; at < row; at++) x[row]! -= lower[row * size + at]! * x[at]!;
    x[row]! /= lower[row * size + row]!;
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let at = row + 1; at < size; at++) x[row]! -= lower[at * size + row]! * x[at]!;
    x[row]! /= lower[row * size + row]!;
  }
  return x;
}
