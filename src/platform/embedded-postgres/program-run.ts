import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const MAX_OUTPUT_LENGTH = 8_192;

/** The last output of a program, as it comes. */
export class RecentOutput {
  private text = '';

  constructor(child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.text = (this.text + chunk).slice(-MAX_OUTPUT_LENGTH);
      });
    }
  }

  includes(text: string): boolean {
    return this.text.includes(text);
  }

  /** What it complains about, on one line: the last error with its detail and hint, else the last remark. */
  get errorMessage(): string {
    const lines = this.text.split('\n').map((line) => line.replace(/^.*(?=(FATAL|PANIC|DETAIL|HINT):)/, '').trim());
    const at = lines.findLastIndex((line) => /\b(FATAL|PANIC|error):/.test(line));
    const remarks = lines.filter((line) => line !== '' && !line.startsWith('LOG:')).slice(-1);
    const detail = lines.slice(at + 1).filter((line) => /^(DETAIL|HINT):/.test(line));
    return (at < 0 ? remarks : [lines[at], ...detail]).join('; ').replace(/\s+/g, ' ');
  }
}

/** A program that ended badly. `message` is its complaint on one line. */
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
 * Feeds a program its input and waits for its end.
 * @throws ProgramFailed when it ends otherwise than with 0; a system error when it cannot be started.
 */
export async function runProgram(child: ChildProcess, input = ''): Promise<void> {
  const output = new RecentOutput(child);
  // A program that ends early closes its input: how it ended tells more than the broken pipe.
  child.stdin?.on('error', () => undefined).end(input);
  await once(child, 'close');
  if (child.exitCode !== 0) throw new ProgramFailed(child.spawnfile, child.exitCode ?? child.signalCode, output);
}
