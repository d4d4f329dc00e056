import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { pollUntil } from './poll-until.js';
import { procTable, psTable } from './process-table.js';

// Slim container images do not have ps.
const tables = {
  ...(existsSync('/bin/ps') && { ps: psTable }),
  ...(process.platform === 'linux' && { proc: procTable }),
};

describe.each(Object.entries(tables))('the process table of %s', (_source, table) => {
  it('returns the same identity and the command line of a process until it ends', async () => {
    const children = [spawn('sleep', ['300.5']), spawn('sleep', ['300.5'])];
    const [first = 0, second = 0] = children.map((child) => child.pid);
    const identity = await table.identity(first);
    expect(identity).toBeTruthy();
    expect(await table.identity(first)).toBe(identity);
    expect(await table.commandLine(second)).toBe('sleep 300.5');
    await Promise.all(children.map((child) => (child.kill(), once(child, 'exit'))));
    expect(await table.identity(first)).toBeUndefined();
    expect(await table.commandLine(first)).toBe('');
  });

  it('treats a zombie as ended', async () => {
    // The shell's child ends, and sleep, which replaces the shell, never waits for it.
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 300']);
    const [line] = await once(parent.stdout, 'data');
    const died = async () => (await table.identity(Number(line))) === undefined;
    expect(await pollUntil(died, 25_000)).toBe(true);
    parent.kill();
    await once(parent, 'exit');
  });
});
