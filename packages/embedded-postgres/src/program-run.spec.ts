import { spawn } from 'node:child_process';
import { ProgramFailed, runProgram } from './program-run.js';

const shell = (script: string) => spawn('sh', ['-c', script]);

describe('runProgram', () => {
  it('passes the input to the program', async () => {
    await runProgram(shell('read line; test "$line" = yes'), 'yes\n');
    await expect(runProgram(shell('read line; test "$line" = yes'), 'no\n')).rejects.toThrow(ProgramFailed);
  });

  it('throws the last error with its detail on one line, without the statement', async () => {
    const output = [
      'LOG:  starting',
      'running script ... 2026-11-21 04:51:05.735 UTC [19136] FATAL:  database files are   incompatible',
      '2026-11-21 04:51:05.735 UTC [19136] DETAIL:  made by version 17.',
      "2026-11-21 04:51:05.735 UTC [19136] STATEMENT:  CREATE ROLE x PASSWORD 'secret'",
      'child process exited with exit code 1',
    ];
    const failing = runProgram(shell(`cat >&2 <<'END'\n${output.join('\n')}\nEND\nexit 1`));
    await expect(failing).rejects.toThrow(/^FATAL: database files are incompatible; DETAIL: made by version 17\.$/);
  });

  it('throws the last line of the output, or the exit code if there is no output', async () => {
    await expect(runProgram(shell('echo one; echo two; echo; exit 1'))).rejects.toThrow(/^two$/);
    await expect(runProgram(shell('exit 3'))).rejects.toThrow(/^sh ended with 3$/);
    await expect(runProgram(shell('kill -9 $$'))).rejects.toThrow(/^sh ended with SIGKILL$/);
  });

  it('does not fail if the program does not read its input', async () => {
    await runProgram(shell('exit 0'), 'x'.repeat(1_000_000));
  });
});
