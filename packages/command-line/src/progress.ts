/**
 * Shows people what a command does that takes long: a line on standard error, if that is a terminal. Standard output is
 * for the result.
 */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${text} …\n`);
}
