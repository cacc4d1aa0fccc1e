import { formatFault, KnowledgeBaseInvalid, type Fault } from '../../../kb/base/faults.ts';
import { checkKnowledgeBase } from '../../../kb/check.ts';
import type { Settings } from '../../composition/settings.ts';
import { messageOf } from '../report-failure.ts';
import { count } from '../number-format.ts';
import { fault, ok, warning, type Finding } from './finding.ts';
import { firstFew } from '../../../events/first-few.ts';

/** The most faults that are shown here; `beleg kb check` shows all. */
const SHOWN = 3;

export async function lookAtBase({ kbPath }: Settings): Promise<Finding> {
  const what = 'knowledge base';
  try {
    const { sources, passages, faults, warnings } = await checkKnowledgeBase(kbPath);
    if (faults.length > 0)
      return warning(
        what,
        `${kbPath}: left out: ${listed(faults)}`,
        'fix what beleg kb check lists, then reindex',
      );
    const noted = warnings.length === 0 ? '' : `; ${count(warnings.length, 'warning')}, see beleg kb check`;
    return ok(what, `${count(sources, 'source')}, ${count(passages, 'passage')} in ${kbPath}${noted}`);
  } catch (error) {
    if (!(error instanceof KnowledgeBaseInvalid)) {
      return fault(what, messageOf(error), 'set PV_KB_PATH to a readable folder with Markdown files');
    }
    return fault(
      what,
      `${kbPath}: ${listed(error.faults)}`,
      `fix what beleg kb check lists, or set PV_KB_PATH to another folder`,
    );
  }
}

const listed = (faults: readonly Fault[]): string =>
  firstFew(faults.map(formatFault), SHOWN, { between: '; ' });
