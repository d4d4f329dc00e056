import { inspect } from 'node:util';
import { InvalidArgumentError } from 'commander';
import { InvalidCatalogue } from '../../marketplace/index.js';
import { ConfigError } from '../../platform/config/index.js';
import { EmbeddedPostgresFailure } from '../../platform/embedded-postgres/index.js';
import { DomainError } from '../../platform/errors/index.js';
import { ServiceLost, StartFailed } from '../start-failed.js';

/** Errors whose message is a line for the operator. */
const EXPECTED = [
  InvalidCatalogue,
  StartFailed,
  ServiceLost,
  EmbeddedPostgresFailure,
  DomainError,
  InvalidArgumentError,
];

/** What a command has to say when it is done. */
export interface Report {
  /** For programs: the one document of `--json`. */
  readonly json: unknown;
  /** For people. */
  readonly text: string;
}

/** How a command was asked to report. */
export interface Output {
  readonly json?: true;
}

/**
 * Runs a command to its end and sets the exit code of the process: 0, or 1 where it failed, with the reason on
 * standard error.
 */
export async function runToEnd(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

/** The same for a command that reports: its report goes to standard output, and nothing else does. */
export function reportToEnd(output: Output, command: () => Promise<Report>): Promise<void> {
  return runToEnd(async () => {
    const report = await command();
    process.stdout.write(`${output.json ? JSON.stringify(report.json) : report.text}\n`);
  });
}

/** A line for each thing that the operator can mend; what nobody foresaw with its stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.mistakes.join('\n');
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  return isExpected && error instanceof Error ? error.message : inspect(error);
}
