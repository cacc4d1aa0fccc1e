import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedFolder } from '../events/temporary-folder.suite.ts';

const root = dirname(import.meta.dirname);
const house = sharedFolder();

/** Who imports whom. */
type Import = readonly [file: string, imported: string];

const FORBIDDEN: readonly Import[] = [
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
];

const ALLOWED: readonly Import[] = [
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
];

interface Report {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly filename: string;
    readonly labels: readonly [{ readonly span: { readonly line: number } }];
  }[];
}

/** The rules that each line of each file breaks. */
const broken = new Map<string, string[]>();
const placeOf = (file: string, line: number): string => `${file}:${line}`;

const files = Map.groupBy([...FORBIDDEN, ...ALLOWED], ([file]) => file);
/** Each import is a line of its file. */
const brokenBy = ([file, imported]: Import): readonly string[] =>
  broken.get(placeOf(file, files.get(file)!.findIndex((each) => each[1] === imported) + 1)) ?? [];

beforeAll(() => {
  cpSync(join(root, '.oxlintrc.json'), join(house, '.oxlintrc.json'));
  for (const [file, imports] of files) {
    mkdirSync(dirname(join(house, file)), { recursive: true });
    const lines = imports.map(([, imported], at) => `import { x${at} } from '${imported}';\n`);
    const names = imports.map((_, at) => `x${at}`).join(', ');
    writeFileSync(join(house, file), `${lines.join('')}\nexport const all = [${names}];\n`);
  }
  // All at once, because a start of the linter takes longer than all files.
  const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const done = spawnSync(process.execPath, [oxlint, '--format', 'json'], { cwd: house, encoding: 'utf8' });
  for (const { code, filename, labels } of (JSON.parse(done.stdout) as Report).diagnostics) {
    const place = placeOf(filename, labels[0].span.line);
    broken.set(place, [...(broken.get(place) ?? []), code]);
  }
});

describe('who may import whom', () => {
  it.each(FORBIDDEN)('%s must not import %s', (...each) => {
    expect(brokenBy(each)).toContain('eslint(no-restricted-imports)');
  });

  it.each(ALLOWED)('%s may import %s', (...each) => {
    expect(brokenBy(each)).toEqual([]);
  });
});
