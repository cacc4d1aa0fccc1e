export async function listProjections(_options: { json?: true }): Promise<void> {
  throw new Error('to be written');
}

export async function rebuildProjection(_name: string, _options: { json?: true }): Promise<void> {
  throw new Error('to be written');
}

export async function verifyProjection(_name: string | undefined, _options: { json?: true }): Promise<void> {
  throw new Error('to be written');
}
