export async function state(_stream: string, _options: { at?: string; json?: true }): Promise<void> {
  throw new Error('to be written');
}
