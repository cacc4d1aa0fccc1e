import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedFolder } from '../events/temporary-folder.suite.ts';

const root = dirname(import.meta.dirname);
const house = sharedFolder();

/** Lints one file that imports another, in an empty house with our rules. */
function lint(file: string, imports: string): { ok: boolean; output: string } {
  const path = join(house, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `import { x } from '${imports}';\n\nexport const y = x;\n`);
  const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const done = spawnSync(process.execPath, [oxlint, file], { cwd: house, encoding: 'utf8' });
  rmSync(path);
  return { ok: done.status === 0, output: done.stdout + done.stderr };
}

beforeAll(() => {
  cpSync(join(root, '.oxlintrc.json'), join(house, '.oxlintrc.json'));
});

describe('who may import whom', () => {
  it.each([
    ['events/define.ts', '../kb/knowledge.ts'],
    ['events/define.ts', '../actors/ask/machine.ts'],
    ['events/catalog/knowledge.ts', '../store/embedded/store.ts'],
    ['events/messages/feedback.ts', '../bus/in-process.ts'],
    ['kb/search.ts', '../events/errors.ts'],
    ['kb/search.ts', '../services/config.ts'],
    ['actors/ask/machine.ts', '../../services/runtime.ts'],
    ['actors/ask/machine.ts', '../../events/store/embedded/store.ts'],
    ['actors/ask/machine.ts', 'node:fs'],
    ['services/knowledge/serve-knowledge.ts', '../../events/store/embedded/store.ts'],
    ['services/gateway/dashboard/dashboard.ts', '../../../bench/main.ts'],
    ['services/gateway/pages/dashboard/live-updates.ts', '../../../../events/messages/trading.ts'],
  ])('%s must not import %s', (file, imports) => {
    const { ok, output } = lint(file, imports);
    expect(output).toContain('no-restricted-imports');
    expect(ok).toBe(false);
  });

  it.each([
    ['actors/ask/machine.ts', '../../kb/knowledge.ts'],
    ['actors/ask/machine.ts', '../../events/store/store.ts'],
    ['services/runtime.ts', '../events/store/embedded/store.ts'],
    ['services/knowledge/serve-knowledge.ts', '../../actors/ask/machine.ts'],
    ['bench/main.ts', '../services/runtime.ts'],
    ['services/gateway/pages/audit/audit.ts', '../knowledge/http.ts'],
  ])('%s may import %s', (file, imports) => {
    const { ok, output } = lint(file, imports);
    expect({ ok, output }).toMatchObject({ ok: true });
  });
});
