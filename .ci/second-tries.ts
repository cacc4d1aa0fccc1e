import type { Reporter, TestCase } from 'vitest/node';

/** Names the tests that passed at their second try only: each is to be mended, but holds nothing back meanwhile. */
export default class SecondTries implements Reporter {
  readonly #tests: TestCase[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky === true) this.#tests.push(test);
  }

  onTestRunEnd(): void {
    for (const test of this.#tests) {
      const [error] = test.result().errors ?? [];
      const { relativeModuleId } = test.module;
      process.stdout.write(`SECOND TRY: ${relativeModuleId} > ${test.fullName}: ${error?.message ?? ''}\n`);
    }
  }
}
