import { execFile } from 'node:child_process';
import { join } from 'node:path';

const CHECK = join(import.meta.dirname, '../../docker/healthcheck.mjs');

/** Runs the health check of the container image with these settings. @returns its exit code and what it prints */
export const containerHealth = (env: Readonly<Record<string, string>>): Promise<{ code: number; stderr: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [CHECK], { env: { PATH: process.env.PATH, ...env } }, (error, _, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stderr }),
    );
  });
