import { CommandStopped, ignoreClosedOutput } from './signals.js';

/**
 * Runs a command. If it fails, writes the reason to standard error and sets the exit code of the process to 1.
 * @param explain returns what to write about an error
 */
export async function runToEnd(command: () => Promise<void>, explain: (error: unknown) => string): Promise<void> {
  ignoreClosedOutput();
  try {
    await command();
  } catch (error) {
    // A statement may still run, but nothing waits for it.
    if (error instanceof CommandStopped) process.exit(error.exit_code);
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
