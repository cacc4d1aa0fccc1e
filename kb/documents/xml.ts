import sax from 'sax';

import { decodeAny } from '../base/text.ts';
import { Unreadable } from './unit.ts';

export interface XmlElement {
  /** The name without the prefix of its namespace, which each program chooses differently. */
  readonly name: string;
  /** The name as it is written. */
  readonly tag: string;
  /** The attributes as they are written, with their prefixes. */
  readonly attributes: Readonly<Record<string, string>>;
  children: (XmlElement | string)[];
}

/** No document that a person wrote is deeper. */
const DEEPEST = 300;
/** Signs that are read at once. */
const STRETCH = 64 * 1024;

/**
 * The tree of an XML file. Entities that it defines itself are an error and never expanded. Elements of the names in `taken` are
 * given away as soon as they are complete and are not in the tree, so that a large file needs little memory.
 * @throws {Unreadable}
 */
export function parseXml(
  bytes: Uint8Array,
  taken: Readonly<Record<string, (element: XmlElement) => void>> = {},
): XmlElement {
  const text = decodeAny(bytes);
  if (text === undefined) throw new Unreadable('is broken: a part of it is not text');
  const root: XmlElement = { name: '', tag: '', attributes: {}, children: [] };
  const open: XmlElement[] = [root];
  const addText = (written: string): void => {
    open.at(-1)!.children.push(written);
  };
  const reader = sax.parser(true, { position: false });
  const handlers: Partial<typeof reader> = {
    onopentag: ({ name, attributes }) => {
      if (open.length > DEEPEST) throw new Unreadable('is nested too deeply');
      const element: XmlElement = {
        name: localName(name),
        tag: name,
        attributes: attributes as Record<string, string>,
        children: [],
      };
      open.at(-1)!.children.push(element);
      open.push(element);
    },
    onclosetag: () => {
      const element = open.pop()!;
      const take = taken[element.name];
      if (take === undefined) return;
      open.at(-1)!.children.pop();
      take(element);
    },
    ontext: addText,
    oncdata: addText,
    onerror: (error) => {
      throw error;
    },
  };
  Object.assign(reader, handlers);
  try {
    for (let i = 0; i < text.length; i += STRETCH) reader.write(text.slice(i, i + STRETCH));
    reader.close();
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('is broken: a part of it is no XML', { cause: error });
  }
  return root;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

export const isXml = (node: XmlElement | string): node is XmlElement => typeof node !== 'string';

/** The child elements, of a name where one is given. */
export const childrenOf = (element: XmlElement, name?: string): XmlElement[] =>
  element.children.filter(isXml).filter((child) => name === undefined || child.name === name);

/** The first element that is reached by these names, each a child of the one before. */
export const descend = (
  element: XmlElement | undefined,
  ...names: readonly string[]
): XmlElement | undefined =>
  names.reduce(
    (found, name) =>
      found?.children.find((child): child is XmlElement => isXml(child) && child.name === name),
    element,
  );

/** All elements of a name below one, in order. */
export function findAll(element: XmlElement, name: string): XmlElement[] {
  return childrenOf(element).flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...findAll(child, name),
  ]);
}

/** All text in it. */
export const textOf = (element: XmlElement): string =>
  element.children.map((child) => (isXml(child) ? textOf(child) : child)).join('');

/** An attribute, whatever prefix it is written with. */
export const attributeOf = (element: XmlElement | undefined, name: string): string | undefined =>
  element === undefined
    ? undefined
    : (element.attributes[name] ??
      Object.entries(element.attributes).find(([key]) => localName(key) === name)?.[1]);

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/gu, (sign) => ESCAPES[sign]!);

/** A tree as it is written in a file. */
export function writeXml(element: XmlElement): string {
  const inside = element.children.map((child) => (isXml(child) ? writeXml(child) : escaped(child))).join('');
  if (element.tag === '') return inside;
  const attributes = Object.entries(element.attributes).map(
    ([name, value]) => ` ${name}="${escaped(value)}"`,
  );
  return `<${element.tag}${attributes.join('')}>${inside}</${element.tag}>`;
}
