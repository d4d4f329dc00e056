// Generates client libraries from docs/openapi.json, compiles programs that use them, and runs the programs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateClients } from '../test/clients/generate-clients.mjs';

const folder = mkdtempSync(join(tmpdir(), 'outreach-clients-'));
try {
  await generateClients(folder);
  const args = ['node_modules/jest/bin/jest.js', '--config', 'test/clients/jest.config.js'];
  const jest = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, TEST_CLIENTS: folder } });
  const [code] = await once(jest, 'exit');
  process.exitCode = code ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
