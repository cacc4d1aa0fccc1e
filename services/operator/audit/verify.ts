export async function verify(_options: {
  stream?: string;
  expect?: string;
  key?: string;
  checkpoints?: string;
  archive?: string;
  json?: true;
}): Promise<void> {
  throw new Error('to be written');
}
