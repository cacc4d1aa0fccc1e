import { expect, test } from 'vitest';
import type { z } from 'zod';
import { SECRETS, SETTINGS } from './settings.ts';

const OTHERS = `## Tracing

The standard settings of OpenTelemetry apply, \`OTEL_SERVICE_NAME\` and \`OTEL_RESOURCE_ATTRIBUTES\` among them.

| Setting | Default | Meaning |
|---|---|---|
| \`OTEL_EXPORTER_OTLP_ENDPOINT\`, \`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT\` | none | collector that takes spans over OTLP/HTTP (JSON) |
| \`OTEL_TRACES_SAMPLER\`, \`OTEL_TRACES_SAMPLER_ARG\` | \`parentbased_always_on\` | which traces are exported |
`;

/** The default of a setting in words. */
function defaultOf(schema: z.ZodType): string {
  const shown = schema.meta()?.['default'];
  if (typeof shown === 'string') return shown;
  const value = schema.parse(undefined) as string | number | boolean | readonly never[] | undefined;
  if (value === undefined || value === '' || typeof value === 'object') return 'none';
  return `\`${value}\``;
}

// `vitest run services/composition/settings-page.test.ts --update` writes the page.
test('docs/settings.md has every setting, with its default and what it means', async () => {
  const sections = Object.entries(SETTINGS).flatMap(([heading, variables]) => [
    `## ${heading}\n\n| Setting | Default | Meaning |\n|---|---|---|`,
    ...Object.entries<z.ZodType>(variables).map(([name, schema]) => {
      if (schema.description === undefined) throw new Error(`${name} has no description`);
      return `| \`${name}\` | ${defaultOf(schema)} | ${schema.description} |`;
    }),
    '',
  ]);
  const page = [
    '# Settings',
    '',
    'Settings are read once, at start, from the environment and from a file `.env` in the current folder. An empty one counts as not',
    'set. A wrong one stops the start, and all faults are listed. Flags are on with `true`.',
    '',
    'A secret may stand in a file of its own instead, as Docker and systemd have it: the setting with `_FILE` at its end is the path of',
    'that file, which holds one line. So it is with',
    `${SECRETS.map((name) => `\`${name}\``).join(', ')}. Both at once is a fault.`,
    '',
    ...sections,
    OTHERS,
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../docs/settings.md');
});
