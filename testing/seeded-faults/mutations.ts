import { parseAst } from 'vitest/node';
import type { Fault } from './fault.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const SWAPS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

/** All single-line faults that a careless edit could make in a file. */
export function faultsIn(file: string, code: string): Fault[] {
  const faults: Fault[] = [];
  const add = (kind: string, start: number, end: number, to: string): void => {
    const from = code.slice(start, end);
    if (from.includes('\n')) return;
    const line = code.slice(0, start).split('\n').length;
    const text = code.split('\n')[line - 1]!;
    const column = start - (code.lastIndexOf('\n', start - 1) + 1);
    faults.push({ file, line, text, kind, column, from, to });
  };
  const visit = (node: Node): void => {
    mutate(node, code, add);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
    }
  };
  visit(parseAst(code, { lang: 'ts' }) as unknown as Node);
  return faults;
}

function mutate(
  node: Node,
  code: string,
  add: (kind: string, start: number, end: number, to: string) => void,
): void {
  const text = (of: Node): string => code.slice(of.start, of.end);
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const [left, right, operator] = [
        node['left'] as Node,
        node['right'] as Node,
        node['operator'] as string,
      ];
      const swapped = SWAPS[operator];
      if (swapped === undefined || (operator === '+' && (isText(left) || isText(right)))) return;
      const at = code.indexOf(operator, left.end);
      add(node.type === 'LogicalExpression' ? 'logic' : 'operator', at, at + operator.length, swapped);
      return;
    }
    case 'IfStatement':
    case 'ConditionalExpression': {
      const test = node['test'] as Node;
      add('condition', test.start, test.end, `!(${text(test)})`);
      return;
    }
    case 'UnaryExpression':
      if (node['operator'] === '!') add('negation', node.start, node.start + 1, '');
      return;
    case 'Literal': {
      const { value } = node;
      if (typeof value === 'boolean') add('constant', node.start, node.end, String(!value));
      if (typeof value === 'number') add('constant', node.start, node.end, String(value + 1));
      if (typeof value === 'bigint') add('constant', node.start, node.end, `${value + 1n}n`);
      return;
    }
    case 'AwaitExpression':
      add('await', node.start, (node['argument'] as Node).start, '');
      return;
    case 'ExpressionStatement':
      if (!('directive' in node) || node['directive'] === null) add('statement', node.start, node.end, ';');
      return;
    case 'ReturnStatement': {
      const returned = node['argument'] as Node | null;
      if (returned !== null) add('return', returned.start, returned.end, 'undefined');
      return;
    }
  }
}

function isText(node: Node): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node['value'] === 'string');
}

/** Types are not executed, so there can be no fault in them. */
function isNode(value: unknown): value is Node {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  return !/^TS(Type|Interface|Literal|.*Keyword|.*Type)/.test(String(value.type));
}
