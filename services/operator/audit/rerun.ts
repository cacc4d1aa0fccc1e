export async function rerun(
  _requestIds: string[],
  _options: { from?: string; to?: string; limit?: number; kb?: string; json?: true },
): Promise<void> {
  throw new Error('to be written');
}
