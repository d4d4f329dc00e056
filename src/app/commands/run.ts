import { inspect } from 'node:util';
import { type CommandReport, type Output, runToEnd, writeReport } from '@outreach/command-line';
import { InvalidArgumentError } from 'commander';
import { DomainError } from '@outreach/http-errors';
import { ConfigError } from '../../platform/config/index.js';
import { readConfig } from '../settings.js';
import { isForOperator } from '../start-failed.js';

/**
 * Loads the extension modules and runs a command. If it fails, writes the reason to standard error and sets the exit code
 * of the process to 1.
 */
export function runCommand(command: () => Promise<void>): Promise<void> {
  return runAlone(async () => {
    await loadConfiguredExtensions();
    await command();
  });
}

/** Runs a command like {@link runCommand}, without extension modules. */
export const runAlone = (command: () => Promise<void>): Promise<void> => runToEnd(command, explain);

/** Runs a command like {@link runCommand}, and writes its report, and nothing else, to standard output. */
export function runReportingCommand(output: Output, command: () => Promise<CommandReport>): Promise<void> {
  return runCommand(async () => writeReport(output, await command()));
}

/** Runs a command like {@link runAlone}, and writes its report, and nothing else, to standard output. */
export function runReportingAlone(output: Output, command: () => Promise<CommandReport>): Promise<void> {
  return runAlone(async () => writeReport(output, await command()));
}

/** @returns one line for each problem that the operator can solve; for an unexpected error its stack */
function explain(error: unknown): string {
  const isExpected = isForOperator(error) || error instanceof DomainError || error instanceof InvalidArgumentError;
  return isExpected && error instanceof Error ? error.message : inspect(error);
}

/** Loads the extension modules of `OUTREACH_MODULES`; none if settings are wrong. @throws StartFailed */
export async function loadConfiguredExtensions(): Promise<void> {
  const modules = configuredModules();
  if (modules.length > 0) await (await import('../extensions/load-extensions.js')).loadExtensions(modules);
}

/** None if settings are wrong: the command reports that. */
function configuredModules(): readonly string[] {
  try {
    return readConfig().outreach_modules;
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
}
