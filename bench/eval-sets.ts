import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { importStatutes } from '../kb/import/import-statutes.ts';
import { STARTER_BASE } from '../services/knowledge/settings.ts';

/** Where the evaluation data that others wrote lies: beside the project, never in it. */
export const SHARED = resolve(import.meta.dirname, '../../shared');
const EVAL = join(SHARED, 'eval');
export const SCORER = join(EVAL, 'score.py');
const OWN = join(import.meta.dirname, 'questions');

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
  /** Path of the questions, one JSON object a line. */
  readonly questions: string;
  /** True where every source is one file of one folder, as the scorer reads a base. */
  readonly flat: boolean;
  /** False where it takes data from beside the project that is not there. */
  readonly here: boolean;
  /** The knowledge base; imported first where the set comes with statutes. */
  readonly base: (workFolder: string) => Promise<string>;
}

const shared = (name: string, file: string, base: string): EvalSet => ({
  name,
  questions: join(EVAL, `${file}.jsonl`),
  flat: true,
  here: existsSync(EVAL),
  base: async () => join(EVAL, base),
});

const overStatutes = (name: string, questions: string): EvalSet => ({
  name,
  questions,
  flat: false,
  here: existsSync(questions) && existsSync(join(SHARED, 'statutes')),
  base: statutes,
});

const overStarter = (name: string): EvalSet => ({
  name,
  questions: join(OWN, `${name}.jsonl`),
  flat: false,
  here: true,
  base: async () => STARTER_BASE,
});

/** What may be looked at and fitted on. */
export const SETS: readonly EvalSet[] = [
  shared('xquad', 'xquad-de-questions', 'xquad-de-kb'),
  shared('squad2', 'squad2-en-questions', 'squad2-en-kb'),
  shared('asvg', 'asvg-de-headings', 'asvg-de-kb'),
  shared('ramdocs', 'ramdocs-en-questions', 'ramdocs-en-kb'),
  overStatutes('payroll', join(EVAL, 'payroll-de-questions.jsonl')),
  overStatutes('statutes-de', join(OWN, 'statutes-de.jsonl')),
  overStatutes('statutes-everyday-de', join(OWN, 'statutes-everyday-de.jsonl')),
  overStarter('starter-de'),
  overStarter('starter-en'),
];

/** What nothing is fitted on and nobody reads: only figures are seen of it. */
export const HELD_OUT_SETS: readonly EvalSet[] = [
  overStatutes('statutes-everyday-held-out-de', join(OWN, 'statutes-everyday-held-out-de.jsonl')),
];

/** Questions of a set, without those whose withheld answer stands elsewhere in the base. */
export async function readQuestions(set: EvalSet): Promise<Question[]> {
  const lines = (await readFile(set.questions, 'utf8')).split('\n').filter((line) => line !== '');
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
