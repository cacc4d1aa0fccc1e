import { loadKnowledgeBase } from '../../kb/base/load.ts';
import { readSettings, type Settings } from '../config.ts';
import { toJson } from '../json.ts';
import { openRecord } from '../runtime.ts';
import { linesToAdd } from './gaps/lines.ts';
import { groupGaps } from './gaps/group.ts';
import { readAnswers, type Answered, type AnswerSelection } from './gaps/read.ts';
import { formatLines, formatGaps } from './gaps/report.ts';
import { standardOutput } from './terminal.ts';

/** `beleg kb gaps`: what the base could not answer, or not well, by topic; `--asked`: what people said that it has. */
export async function kbGaps({
  asked,
  json,
  ...selection
}: AnswerSelection & { asked?: true; json?: true }): Promise<void> {
  const settings = readSettings(process.env);
  const answers = await read(settings, selection);
  if (asked === undefined) {
    const gaps = groupGaps(answers);
    console.log(json ? toJson(gaps, 2) : formatGaps(gaps, standardOutput()));
    return;
  }
  const lines = linesToAdd(answers, (await loadKnowledgeBase(settings.kbPath)).sources);
  if (json) console.log(toJson(Object.fromEntries(lines), 2));
  else if (lines.size > 0) console.log(formatLines(lines).trimEnd());
  else console.error('beleg: the feedback on these questions does not say which source was meant');
}

async function read(settings: Settings, selection: AnswerSelection): Promise<Answered[]> {
  const record = await openRecord(settings);
  try {
    return await readAnswers(record, selection);
  } finally {
    await record.close();
  }
}
