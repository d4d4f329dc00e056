import { type CommandReport, type Finding, type FindingStatus, ok } from '@outreach/command-line';
import { ConfigError } from '../../platform/config/index.js';
import { OperatorError } from '../../platform/errors/index.js';
import { examine, wrongSettings } from '../doctor/examination.js';
import { readConfig } from '../settings.js';
import { BUILD, describeBuild } from '../version.js';

/** The service needs a person. */
class PersonNeeded extends OperatorError {}

/** Last for people, and no check for programs, which have fields of their own for it. */
const VERSION: Finding = {
  check: 'version',
  ...ok(`outreach ${describeBuild(BUILD)}, Node ${process.versions.node}`),
};

/**
 * `outreach doctor`: says what works and what does not, and what to do.
 * @param loaded what loading the extension modules has found
 */
export async function doctor(loaded: readonly Finding[]): Promise<CommandReport> {
  const findings = await findingsOf(loaded);
  const errors = findings.filter(({ status }) => status === 'error').length;
  const hasWarnings = findings.some(({ status }) => status === 'warning');
  const status: FindingStatus = errors > 0 ? 'error' : hasWarnings ? 'warning' : 'ok';
  return {
    json: { status, ...BUILD, checks: findings },
    text: describe([...findings, VERSION]),
    ...(errors > 0
      ? { refusal: new PersonNeeded(errors === 1 ? '1 error needs a person.' : `${errors} errors need a person.`) }
      : {}),
  };
}

async function findingsOf(loaded: readonly Finding[]): Promise<Finding[]> {
  try {
    return [...loaded, ...(await examine(readConfig()))];
  } catch (error) {
    if (error instanceof ConfigError) return wrongSettings(error.mistakes);
    throw error;
  }
}

function describe(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings
    .flatMap(({ check, status, message, advice }) => [
      `${status.padEnd(7)}  ${check.padEnd(width)}  ${message}`,
      ...(advice === null ? [] : [`${' '.repeat(width + 9)}  → ${advice}`]),
    ])
    .join('\n');
}
