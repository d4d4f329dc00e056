import { readFileSync } from 'node:fs';
import { InvalidSetting } from './parsers.js';
import type { Setting } from './settings.js';

/** The variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that names the file with the value of a secret setting. */
const fileVariable = (name: string): string => `${name}_FILE`;

/**
 * The text of a setting: the value of its variable or, for a secret, the content of the file that `{name}_FILE` names, as
 * Docker, Kubernetes and systemd provide secrets. An empty variable counts as absent.
 * @returns the text without white space around it; undefined or empty if the setting is not set
 * @throws InvalidSetting if both are set, or if the file cannot be read or has not exactly one line
 */
export function readSettingText(
  name: string,
  { isSecret }: Pick<Setting<unknown>, 'isSecret'>,
  env: Environment,
): string | undefined {
  const text = env[name]?.trim();
  const variable = fileVariable(name);
  const path = isSecret ? env[variable]?.trim() : undefined;
  if (!path) return text;
  if (text) throw new InvalidSetting(`is set, and so is ${variable}: remove one of them`);
  return readLine(path, variable);
}

function readLine(path: string, variable: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new InvalidSetting(`cannot be read from the file of ${variable}: ${error.message}`);
  }
  if (/^$|[\r\n]/.test(text)) {
    throw new InvalidSetting(`must be one line in the file of ${variable}, which ${text ? 'has several' : 'is empty'}`);
  }
  return text;
}
