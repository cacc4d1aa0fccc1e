import { wordSet } from '../../word-list.ts';

/** Directives of remarks, with their labels. */
export const REMARKS: Readonly<Record<string, string>> = {
  note: 'Note',
  hint: 'Hint',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
  danger: 'Danger',
  error: 'Error',
  attention: 'Attention',
  seealso: 'See also',
  todo: 'To do',
};
/** Directives with a version before their text. */
export const VERSIONS: Readonly<Record<string, string>> = {
  versionadded: 'Added in version',
  versionchanged: 'Changed in version',
  deprecated: 'Deprecated since version',
  versionremoved: 'Removed in version',
};
export const CODE = wordSet(`
  code code-block sourcecode parsed-literal prompt math productionlist doctest testcode testoutput`);
/** Directives for the site generator, which are not visible. */
export const UNSEEN = wordSet(`
  image index meta raw role default-role highlight tabularcolumns sectnum target-notes title currentmodule
  py:currentmodule module py:module unicode graphviz uml plantuml mermaid testsetup testcleanup
  restructuredtext-test-directive`);
export const NAVIGATION = wordSet('toctree contents sectionauthor codeauthor');
/** Directives whose first line is part of the text. In others it names a file, a class or a setting. */
export const TITLED = wordSet(`
  topic sidebar rubric centered dropdown tab tab-item card grid-item-card table list-table csv-table
  figure-md collapse details epigraph highlights pull-quote glossary line-block compound container only
  class`);
/** Directives such as `only` and `class`, whose first line is a condition or a name and not text. */
export const UNTITLED = wordSet(`
  only class container compound ifconfig grid tabs tab-set hlist cssclass rst-class grid-item versionadded`);
/** The description of an object: `.. py:function:: open(file)`. */
export const OBJECT =
  /^(?:(?:py|c|cpp|js|rst|std):[\w-]+|function|class|method|attribute|data|exception|option|cmdoption|program|envvar|confval|describe|object|setting|directive|opcode|property|decorator|macro|type|var|member|enum|staticmethod|classmethod)$/u;
