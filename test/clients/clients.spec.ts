import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { useService } from '../support/service.js';

const run = promisify(execFile);
/** `npm run test:clients` generates the libraries into it. */
const { TEST_CLIENTS: folder = '' } = process.env;

describe('a client library that is generated from the API reference', () => {
  const service = useService();

  /** Runs a program with a token of a new workspace. Returns what it has printed. */
  async function resultOf(program: string): Promise<unknown> {
    const { token } = await service.client();
    const env = { PATH: process.env.PATH, API_URL: service.url, API_TOKEN: token };
    const { stdout } = await run(process.execPath, [join(folder, 'bundle', `${program}.mjs`)], { env });
    return JSON.parse(stdout);
  }

  it.each([
    ['openapi-typescript with openapi-fetch', 'openapi-fetch', 'fetch@acme.example'],
    ['@hey-api/openapi-ts', 'hey-api', 'hey@acme.example'],
  ])('by %s compiles with strict types and makes typed calls', async (_, program, email) => {
    expect(await resultOf(program)).toEqual({
      workspace: expect.any(String),
      employees: 140,
      listed: [email],
      total: 1,
      job_title: 'Head',
      imported: 1,
      steps: 1,
      enrolled: 1,
      errors: ['email'],
      deleted: 204,
    });
  });
});
