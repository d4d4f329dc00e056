import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A fixed environment: messages in English, times in UTC, and none of the service's secrets. */
export const programEnv = {
  LC_ALL: 'C',
  TZ: 'UTC',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
};

const MAX_OUTPUT_LENGTH = 8_192;

/** Collects the most recent output of a program. */
export class RecentOutput {
  private text = '';

  constructor(child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.text = (this.text + chunk).slice(-MAX_OUTPUT_LENGTH);
      });
    }
  }

  get isEmpty(): boolean {
    return this.text === '';
  }

  includes(text: string): boolean {
    return this.text.includes(text);
  }

  /** The last error with its detail and hint, or else the last line; on one line. */
  get errorMessage(): string {
    const lines = this.text.split('\n').map((line) => line.replace(/^.*(?=(FATAL|PANIC|DETAIL|HINT):)/, '').trim());
    const at = lines.findLastIndex((line) => /\b(FATAL|PANIC|error):/.test(line));
    const lastLine = lines.filter((line) => line !== '' && !line.startsWith('LOG:')).slice(-1);
    const detail = lines.slice(at + 1).filter((line) => /^(DETAIL|HINT):/.test(line));
    return (at < 0 ? lastLine : [lines[at], ...detail]).join('; ').replace(/\s+/g, ' ');
  }
}

/** A program has ended with an error. The message is its own, on one line. */
export class ProgramFailed extends Error {
  constructor(
    program: string,
    outcome: string | number | null,
    readonly output: RecentOutput,
  ) {
    super(output.errorMessage || `${program} ended with ${outcome}`);
  }
}

/**
 * Writes the input of a program and waits until it ends.
 * @throws ProgramFailed if its exit code is not 0; a system error if it cannot be started
 */
export async function runProgram(child: ChildProcess, input = ''): Promise<void> {
  const output = new RecentOutput(child);
  // If the program ends before it has read its input, the exit code says more than the EPIPE.
  child.stdin?.on('error', () => undefined).end(input);
  await once(child, 'close');
  if (child.exitCode !== 0) throw new ProgramFailed(child.spawnfile, child.exitCode ?? child.signalCode, output);
}
