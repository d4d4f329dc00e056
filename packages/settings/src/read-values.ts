import { InvalidSetting } from './parsers.js';
import { type Environment, readSettingText } from './secret-files.js';
import type { Setting, Settings } from './settings.js';

/** Values by the names of their settings in lower case, and a line for each setting that is wrong. */
export interface ReadValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly mistakes: readonly string[];
}

/** Reads settings. A wrong one has its fallback. @param env an empty value counts as absent, and a secret may be in a file */
export function readValues(settings: Settings, env: Environment): ReadValues {
  const mistakes: string[] = [];
  const values = Object.entries(settings).map(([name, setting]) => [
    name.toLowerCase(),
    readValue(name, setting, env, mistakes),
  ]);
  return { values: Object.fromEntries(values) as ReadValues['values'], mistakes };
}

/** Reads one setting, or its fallback if it is wrong. @param mistakes gets a line then */
export function readValue<T>(name: string, setting: Setting<T>, env: Environment, mistakes: string[] = []): T {
  try {
    const text = readSettingText(name, setting, env);
    return text ? setting.parse(text) : setting.fallback;
  } catch (error) {
    if (!(error instanceof InvalidSetting)) throw error;
    mistakes.push(`${name} ${error.message}.`);
    return setting.fallback;
  }
}
