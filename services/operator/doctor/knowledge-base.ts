import { formatFault, KnowledgeBaseInvalid } from '../../../kb/base/faults.ts';
import { checkKnowledgeBase } from '../../../kb/check.ts';
import type { Settings } from '../../config.ts';
import { messageOf } from '../failure-and-exit-code.ts';
import { count } from '../number-format.ts';
import { fault, ok, type Finding } from './finding.ts';

/** Faults of a base that are told here; `beleg kb check` tells all. */
const SHOWN = 3;

export async function lookAtBase({ kbPath }: Settings): Promise<Finding> {
  const what = 'knowledge base';
  try {
    const { sources, passages, warnings } = await checkKnowledgeBase(kbPath);
    const noted = warnings.length === 0 ? '' : `; ${count(warnings.length, 'warning')}, see beleg kb check`;
    return ok(what, `${count(sources, 'source')}, ${count(passages, 'passage')} in ${kbPath}${noted}`);
  } catch (error) {
    if (!(error instanceof KnowledgeBaseInvalid)) {
      return fault(what, messageOf(error), 'set PV_KB_PATH to a readable folder with Markdown files');
    }
    const more = error.faults.length - SHOWN;
    const faults = error.faults.slice(0, SHOWN).map(formatFault).join('; ');
    const found = `${kbPath}: ${faults}${more > 0 ? ` and ${more} more` : ''}`;
    return fault(what, found, `fix what beleg kb check lists, or set PV_KB_PATH to another folder`);
  }
}
