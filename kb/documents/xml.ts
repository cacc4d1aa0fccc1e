import sax from 'sax';

import { decodeAny } from '../text/decode.ts';
import { Unreadable } from './unit.ts';

export interface XmlElement {
  /** The name without its namespace prefix, which programs choose differently. */
  readonly name: string;
  /** The name with its prefix. */
  readonly tag: string;
  /** The attributes with their prefixes. */
  readonly attributes: Readonly<Record<string, string>>;
  children: (XmlElement | string)[];
}

/** The greatest depth of nested elements. Documents that people write do not reach it. */
const DEEPEST = 300;
/** The number of characters that are parsed at a time. */
const STRETCH = 64 * 1024;

/**
 * The tree of an XML file. Entities that the file defines are an error and never expanded. Elements with names in
 * `taken` are passed on as soon as they are complete and are not in the tree, so that a large file needs little memory.
 *
 * @throws {Unreadable} if the file is not valid.
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

/** A switch in an Office format: it is on if it is present, unless its value says off. */
export const isOn = (element: XmlElement | undefined): boolean =>
  element !== undefined && !['0', 'false', 'off', 'none'].includes(attributeOf(element, 'val') ?? '1');

export const isXml = (node: XmlElement | string): node is XmlElement => typeof node !== 'string';

/** The child elements; with a name, only those with this name. */
export const childrenOf = (element: XmlElement, name?: string): XmlElement[] =>
  element.children.filter(isXml).filter((child) => name === undefined || child.name === name);

/** The element at the end of a path of names, each the first such child of the previous element. */
export const descend = (
  element: XmlElement | undefined,
  ...names: readonly string[]
): XmlElement | undefined =>
  names.reduce(
    (found, name) =>
      found?.children.find((child): child is XmlElement => isXml(child) && child.name === name),
    element,
  );

/** All elements with the name below this one, in order. */
export function findAll(element: XmlElement, name: string): XmlElement[] {
  return childrenOf(element).flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...findAll(child, name),
  ]);
}

/** All text below the element. */
export const textOf = (element: XmlElement): string =>
  element.children.map((child) => (isXml(child) ? textOf(child) : child)).join('');

/** An attribute with any prefix. */
export const attributeOf = (element: XmlElement | undefined, name: string): string | undefined =>
  element === undefined
    ? undefined
    : (element.attributes[name] ??
      Object.entries(element.attributes).find(([key]) => localName(key) === name)?.[1]);

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/gu, (sign) => ESCAPES[sign]!);

/** The text of a file with this tree. */
export function writeXml(element: XmlElement): string {
  const inside = element.children.map((child) => (isXml(child) ? writeXml(child) : escaped(child))).join('');
  if (element.tag === '') return inside;
  const attributes = Object.entries(element.attributes).map(
    ([name, value]) => ` ${name}="${escaped(value)}"`,
  );
  return `<${element.tag}${attributes.join('')}>${inside}</${element.tag}>`;
}
