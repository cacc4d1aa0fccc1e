import { posix } from 'node:path';

import { monthOf } from './month.ts';
import { plainText } from './plain-text.ts';
import { Unreadable } from './unit.ts';
import { attributeOf, childrenOf, descend, findAll, parseXml, textOf, type XmlElement } from './xml.ts';
import { unzip } from './zip.ts';

/** A file of Word, Excel or PowerPoint: parts with references to each other. */
export class OfficePackage {
  readonly parts: Map<string, Uint8Array>;

  /**
   * Opens a package.
   *
   * @throws {Unreadable} if the file is damaged or exceeds a limit.
   */
  constructor(bytes: Uint8Array) {
    this.parts = unzip(bytes, (name) => /\.(?:xml|rels)$/iu.test(name));
  }

  /**
   * A part as a tree; `undefined` if the file does not have it. Names are compared without case, because programs write
   * them differently.
   */
  xml(name: string, taken?: Readonly<Record<string, (element: XmlElement) => void>>): XmlElement | undefined {
    const part = this.parts.get(this.nameOf(name) ?? '');
    return part === undefined ? undefined : parseXml(part, taken);
  }

  nameOf(name: string): string | undefined {
    if (this.parts.has(name)) return name;
    const small = name.toLowerCase();
    return [...this.parts.keys()].find((each) => each.toLowerCase().replaceAll('\\', '/') === small);
  }

  /** The references of a part: id → kind of reference and name of the other part. */
  references(name: string): Map<string, { kind: string; target: string }> {
    const folder = posix.dirname(name);
    const tree = this.xml(posix.join(folder, '_rels', `${posix.basename(name)}.rels`));
    return new Map(
      (tree === undefined ? [] : findAll(tree, 'Relationship')).map((each) => {
        const target = attributeOf(each, 'Target') ?? '';
        const kind = posix.basename(attributeOf(each, 'Type') ?? '');
        return [
          attributeOf(each, 'Id') ?? '',
          { kind, target: target.startsWith('/') ? target.slice(1) : posix.join(folder, target) },
        ];
      }),
    );
  }

  /**
   * The name of the main part of a package.
   *
   * @throws {Unreadable} if it is a package of another kind.
   */
  main(kind: string): string {
    const reference = [...this.references('').values()].find((each) => each.kind === 'officeDocument');
    const name = this.nameOf(reference?.target ?? '');
    if (name === undefined) throw new Unreadable(`is not ${kind}`);
    return name;
  }

  /** The title and the date in the file's properties. */
  properties(): { readonly title?: string; readonly stand?: string | undefined } {
    const reference = [...this.references('').values()].find(({ kind }) => kind === 'core-properties');
    const core = descend(this.xml(reference?.target ?? 'docProps/core.xml'), 'coreProperties');
    if (core === undefined) return {};
    const field = (name: string): string => childrenOf(core, name).map(textOf).join('').trim();
    const title = plainText(field('title'));
    const stand = monthOf(field('modified')) ?? monthOf(field('created'));
    return title === '' ? { stand } : { title, stand };
  }
}
