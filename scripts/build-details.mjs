// What a build is made of: its version and the commit of its sources. No time, so that the same sources give the same build.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** @returns {{ version: string, commit: string | null }} */
export const buildDetails = () => ({
  version: JSON.parse(readFileSync('package.json', 'utf8')).version,
  commit: commitOfGit() ?? (process.env.SOURCE_COMMIT || process.env.GIT_COMMIT || null),
});

/** Not that of a repository around an unpacked archive. */
function commitOfGit() {
  if (!existsSync('.git')) return undefined;
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
