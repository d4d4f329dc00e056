/** The result of a command. */
export interface CommandReport {
  /** For programs: the JSON document of `--json`. */
  readonly json: unknown;
  /** For people. */
  readonly text: string;
  /** Why the command did nothing. Thrown after the report. */
  readonly refusal?: Error;
}

/** The options of a command that reports. */
export interface Output {
  readonly json?: true;
}

/** Writes a report, and nothing else, to standard output. @throws its refusal */
export function writeReport(output: Output, report: CommandReport): void {
  process.stdout.write(`${output.json ? JSON.stringify(report.json) : report.text}\n`);
  if (report.refusal) throw report.refusal;
}
