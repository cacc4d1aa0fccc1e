// A writer thread for tests: it keeps numbers, and fails and dies on request.
import { runWriterThread } from './writer-thread.ts';

export type TestJob = { put: number } | { list: true } | { fail: true } | { die: true };
export type TestResult = number | number[];

runWriterThread<TestJob, TestResult>((db) => {
  db.exec('CREATE TABLE IF NOT EXISTS numbers (id INTEGER PRIMARY KEY, value INTEGER)');
  return {
    apply(job) {
      if ('put' in job) {
        db.prepare('INSERT INTO numbers (value) VALUES (?)').run(job.put);
        return job.put;
      }
      if ('fail' in job) throw new Error('a fault of the whole batch');
      if ('die' in job) process.exit(1);
      return db
        .prepare('SELECT value FROM numbers ORDER BY id')
        .all()
        .map((row) => row['value'] as number);
    },
  };
});
