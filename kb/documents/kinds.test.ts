import { describe, expect, it } from 'vitest';

import { closedKindOf, extensionOf, KINDS, kindOf } from './kinds.ts';

describe('kinds of documents', () => {
  it.each(KINDS.map((kind) => [kind.extensions.join(', '), kind] as const))(
    'reads %s as its parser says',
    async (_, kind) => {
      const { extensions } = await kind.load();
      expect(kind.extensions).toEqual(extensions);
      for (const extension of extensions) expect(kindOf(`a/b.${extension.toUpperCase()}`)).toBe(kind);
    },
  );

  it('names what is a document and is not read, once', () => {
    expect(closedKindOf('alt.DOC')).toContain('save it as .docx');
    expect(closedKindOf('bild.png')).toBeUndefined();
    const read = KINDS.flatMap(({ extensions }) => extensions);
    expect(new Set(read).size).toBe(read.length);
    expect(read.filter((extension) => closedKindOf(`a.${extension}`) !== undefined)).toEqual([]);
  });

  it('takes the ending of the name, not of a folder', () => {
    expect(extensionOf('v1.2/LIESMICH')).toBe('');
    expect(extensionOf('v1.2/a.tar.MD')).toBe('md');
  });
});
