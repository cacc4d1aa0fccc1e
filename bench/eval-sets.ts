import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { importStatutes } from '../kb/import/import.ts';
import { STARTER_BASE } from '../services/config.ts';

/** Where evaluation data lies: beside the project, never in it. */
export const SHARED = resolve(import.meta.dirname, '../../shared');
const EVAL = join(SHARED, 'eval');
export const SCORER = join(EVAL, 'score.py');

/** A question with what is known about its answer; other fields of the file are the scorer's. */
export interface Question {
  readonly id: string;
  readonly question: string;
  readonly expect: 'answered' | 'refused';
  /** Ids of sources of which one answers. */
  readonly gold: readonly string[];
  /** Wordings of which one stands in a right answer; empty where nobody wrote one down. */
  readonly answers: readonly string[];
  /** What was taken out of the base to make it unanswerable. */
  readonly withheld: string | null;
  /** Questions of one article are alike: they are held out together. */
  readonly article: string;
}

export interface EvalSet {
  readonly name: string;
  readonly questionsFile: string;
  /** The knowledge base; imported first where the set comes with statutes. */
  readonly base: (workFolder: string) => Promise<string>;
}

const folder = (name: string) => async (): Promise<string> => join(EVAL, name);

export const SETS: readonly EvalSet[] = [
  { name: 'xquad', questionsFile: 'xquad-de-questions.jsonl', base: folder('xquad-de-kb') },
  { name: 'squad2', questionsFile: 'squad2-en-questions.jsonl', base: folder('squad2-en-kb') },
  { name: 'asvg', questionsFile: 'asvg-de-headings.jsonl', base: folder('asvg-de-kb') },
  { name: 'ramdocs', questionsFile: 'ramdocs-en-questions.jsonl', base: folder('ramdocs-en-kb') },
  { name: 'payroll', questionsFile: 'payroll-de-questions.jsonl', base: statutes },
];

export function isThere(): boolean {
  return existsSync(EVAL);
}

export function questionsPath(set: EvalSet): string {
  return join(EVAL, set.questionsFile);
}

/** Questions of a set, without those whose withheld answer stands elsewhere in the base. */
export async function readQuestions(set: EvalSet): Promise<Question[]> {
  const lines = (await readFile(questionsPath(set), 'utf8')).split('\n').filter((line) => line !== '');
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((row) => row['leak'] !== true)
    .map((row) => ({
      id: String(row['id']),
      question: String(row['question']),
      expect: row['expect'] === 'refused' ? 'refused' : 'answered',
      gold: listOf(row['gold'] ?? row['correct_ids']),
      answers: listOf(row['answers'] ?? row['gold_answers']),
      withheld: typeof row['withheld'] === 'string' ? row['withheld'] : null,
      article: String(row['article'] ?? row['id']),
    }));
}

function listOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

/** The statutes beside the project, imported anew, with the synonyms of the starter base. */
async function statutes(workFolder: string): Promise<string> {
  const out = join(workFolder, 'statutes-kb');
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await importStatutes({
    inputs: [join(SHARED, 'statutes')],
    out,
    synonymsFile: join(STARTER_BASE, 'synonyms.txt'),
  });
  return out;
}
