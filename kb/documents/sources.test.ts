import { expect, test } from 'vitest';
import { parseAbout } from '../base/about.ts';
import { sourcesOf } from './sources.ts';

test('the address of an original leads to it, whatever its file is called', () => {
  const about = parseAbout('url: https://example.org/b/{path}?from={name}\n', () => expect.unreachable())!;
  const file = { path: 'neu/100 % #1: wer & „wie“?.md', bytes: new Uint8Array(), changed: '2026-01' };
  const [source] = sourcesOf({ units: [{ kind: 'paragraph', text: 'Ein Satz.' }] }, file, about);
  const { pathname, searchParams, hash } = new URL(source!.url!);
  expect(pathname.split('/').map(decodeURIComponent).slice(2).join('/')).toBe(file.path);
  expect(searchParams.get('from')).toBe('neu/100 % #1: wer & „wie“?');
  expect(hash).toBe('');
});
