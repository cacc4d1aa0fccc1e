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
    ['kb/search.ts', '../services/composition/settings.ts'],
    ['actors/ask/machine.ts', '../../services/composition/runtime.ts'],
    ['actors/ask/machine.ts', '../../events/store/embedded/store.ts'],
    ['actors/ask/machine.ts', 'node:fs'],
    ['actors/ask/machine.ts', '../trading/decide.ts'],
    ['actors/trading/decide.ts', '../ask/machine.ts'],
    ['services/foundation/clock.ts', '../knowledge/spool.ts'],
    ['services/foundation/streams/writer.ts', '../../composition/runtime.ts'],
    ['services/knowledge/serve-knowledge.ts', '../../events/store/embedded/store.ts'],
    ['services/knowledge/serve-knowledge.ts', '../composition/settings.ts'],
    ['services/knowledge/serve-knowledge.ts', '../gateway/http/server.ts'],
    ['services/knowledge/serve-knowledge.ts', '../trading/serve-trading.ts'],
    ['services/knowledge/model-server/server.ts', '../../../actors/trading/decide.ts'],
    ['services/knowledge/serve-knowledge.ts', '../../testing/models/tiny-model.ts'],
    ['services/trading/serve-trading.ts', '../knowledge/settings.ts'],
    ['services/trading/serve-trading.ts', '../../kb/open.ts'],
    ['services/models/serve-models.ts', '../../actors/ask/machine.ts'],
    ['services/audit/serve-audit.ts', '../knowledge/settings.ts'],
    ['services/gateway/http/server.ts', '../knowledge/knowledge.ts'],
    ['services/gateway/knowledge/knowledge.ts', '../dashboard/dashboard.ts'],
    ['services/gateway/dashboard/dashboard.ts', '../knowledge/knowledge.ts'],
    ['services/gateway/dashboard/dashboard.ts', '../../composition/runtime.ts'],
    ['services/gateway/dashboard/dashboard.ts', '../../../bench/main.ts'],
    ['services/composition/application.ts', '../operator/serve.ts'],
    ['services/composition/application.ts', '../../events/store/embedded/store.ts'],
    ['services/pages/dashboard/live-updates.ts', '../../../events/messages/trading.ts'],
    ['testing/nats/server.suite.ts', '../../bench/main.ts'],
  ])('%s must not import %s', (file, imports) => {
    const { ok, output } = lint(file, imports);
    expect(output).toContain('no-restricted-imports');
    expect(ok).toBe(false);
  });

  it.each([
    ['actors/ask/machine.ts', '../../kb/knowledge.ts'],
    ['actors/ask/machine.ts', '../../events/store/store.ts'],
    ['services/composition/runtime.ts', '../../events/store/embedded/store.ts'],
    ['services/audit/story/order-story.ts', '../../../actors/trading/order-lifecycle.ts'],
    ['services/trading/serve-trading.test.ts', '../../testing/nats/server.suite.ts'],
    ['services/trading/serve-trading.ts', '../market/sessions.ts'],
    ['services/knowledge/serve-knowledge.ts', '../../kb/answer/verify.ts'],
    ['services/knowledge/serve-knowledge.ts', '../../actors/ask/machine.ts'],
    ['bench/main.ts', '../services/composition/runtime.ts'],
    ['services/pages/audit/audit.ts', '../knowledge/http.ts'],
  ])('%s may import %s', (file, imports) => {
    const { ok, output } = lint(file, imports);
    expect({ ok, output }).toMatchObject({ ok: true });
  });
});
