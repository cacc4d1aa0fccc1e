import { parseAst } from 'vitest/node';
import { expect, test } from 'vitest';
import { drawFaults } from './draw.ts';
import { withFault } from './fault.ts';
import { faultsIn } from './mutations.ts';
import { inOrder, RelatedTests } from './related.ts';

const CODE = `import { tell } from './tell.ts';
export interface Most { readonly most: 12 }
export async function ask(count: number, isOpen = true): Promise<string> {
  if (!isOpen && count + 1 > 3) await tell('closed');
  return count === 0 ? 'none' : \`\${count} \` + 'some';
}
`;

test('faults are one line each, all code, and none in a type', () => {
  const faults = faultsIn('kb/ask.ts', CODE);
  expect(faults.map(({ kind, from, to }) => `${kind}: ${from} → ${to}`)).toEqual([
    'constant: true → false',
    'condition: !isOpen && count + 1 > 3 → !(!isOpen && count + 1 > 3)',
    'logic: && → ||',
    'negation: ! → ',
    'operator: > → >=',
    'operator: + → -',
    'constant: 1 → 2',
    'constant: 3 → 4',
    "statement: await tell('closed'); → ;",
    'await: await  → ',
    "return: count === 0 ? 'none' : `${count} ` + 'some' → undefined",
    'condition: count === 0 → !(count === 0)',
    'operator: === → !==',
    'constant: 0 → 1',
  ]);
  for (const fault of faults) {
    const faulty = withFault(CODE, fault)!;
    expect(() => parseAst(faulty, { lang: 'ts' })).not.toThrow();
    expect(faulty.split('\n').filter((line, n) => line !== CODE.split('\n')[n])).toHaveLength(1);
    // The line is found if others come before it, and not if it was removed.
    expect(withFault(`\n${CODE}`, fault)).toBe(`\n${faulty}`);
    expect(withFault('', fault)).toBeUndefined();
  }
});

test('the same seed draws the same faults, another one others', () => {
  const sources = new Map(['events', 'kb', 'actors', 'services'].map((room) => [`${room}/ask.ts`, CODE]));
  const drawn = drawFaults(sources, 8, 1);
  expect(drawFaults(sources, 8, 1)).toEqual(drawn);
  expect(drawFaults(sources, 8, 2)).not.toEqual(drawn);
  expect(new Set(drawn.map(({ file, line }) => `${file}:${line}`)).size).toBe(8);
});

test('related are tests by imports, through programs that are started by name, and pages through who looks at them', () => {
  const related = new RelatedTests(
    new Map([
      ['services/a.ts', 'export const a = 1;'],
      ['services/program.ts', "import { a } from './a.ts';"],
      ['services/started.ts', "fork(join(import.meta.dirname, 'program.ts'));"],
      ['services/started.test.ts', "import { start } from './started.ts';"],
      ['services/typed.test.ts', "import type { A } from './a.ts';"],
      ['services/pages/page.ts', ''],
      ['services/gateway/dashboard/page.suite.ts', ''],
      ['services/gateway/dashboard/orders.test.ts', "import './page.suite.ts';"],
      ['services/gateway/dashboard/page.full.test.ts', ''],
      ['services/gateway/dashboard/socket.test.ts', ''],
    ]),
  );
  expect(related.of('services/a.ts')).toEqual(['services/started.test.ts']);
  expect(related.of('services/pages/page.ts')).toEqual([
    'services/gateway/dashboard/page.full.test.ts',
    'services/gateway/dashboard/orders.test.ts',
  ]);
});

test('the test file that found a fault elsewhere comes first, also where it has become a full one', () => {
  const tests = ['kb/near.test.ts', 'services/far.full.test.ts'];
  expect(inOrder(tests, 'services/far.test.ts')).toEqual(tests.toReversed());
  expect(inOrder(tests)).toEqual(tests);
});
