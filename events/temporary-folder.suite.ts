import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A new folder, for the test that runs or is about to: it is removed after the test and its `afterEach`. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'beleg-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A new folder for the tests of a `describe` or a file, in which it is called: it is removed after them and their `afterAll`. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'beleg-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
