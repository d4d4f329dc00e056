import { ConfigError } from '../../platform/config/index.js';
import { OperatorError } from '../../platform/errors/index.js';
import { examine, wrongSettings } from '../doctor/examination.js';
import { type Check, type Finding, type FindingStatus, runCheck } from '../doctor/finding.js';
import { readConfig } from '../settings.js';
import { type CommandReport, loadConfiguredExtensions } from './run.js';

/** The service needs a person. */
class PersonNeeded extends OperatorError {}

/** `outreach doctor`: says what works and what does not, and what to do. */
export async function doctor(): Promise<CommandReport> {
  const findings = await findingsOf();
  const errors = findings.filter(({ status }) => status === 'error').length;
  const hasWarnings = findings.some(({ status }) => status === 'warning');
  const status: FindingStatus = errors > 0 ? 'error' : hasWarnings ? 'warning' : 'ok';
  return {
    json: { status, checks: findings },
    text: describe(findings),
    ...(errors > 0
      ? { refusal: new PersonNeeded(errors === 1 ? '1 error needs a person.' : `${errors} errors need a person.`) }
      : {}),
  };
}

/** The modules can be loaded. A finding only if not. */
const EXTENSION_MODULES: Check = {
  name: 'settings',
  advice: 'Correct OUTREACH_MODULES, or the module.',
  run: async () => {
    await loadConfiguredExtensions();
    return [];
  },
};

async function findingsOf(): Promise<Finding[]> {
  try {
    const config = readConfig();
    return [...(await runCheck(EXTENSION_MODULES)), ...(await examine(config))];
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
