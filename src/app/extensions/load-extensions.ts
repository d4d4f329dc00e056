import * as nodeModule from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reasonOf } from '@outreach/command-line';
import * as entryPoint from '../../extension/index.js';
import { type Extension, isExtension, registerExtensions } from '../../platform/extensions/index.js';
import { StartFailed } from '../start-failed.js';
import { declarationErrors } from './declaration-errors.js';
import { ENTRY_POINT, hookModule, sharedModule } from './import-hook.js';

/**
 * Loads the extension modules of OUTREACH_MODULES, before the modules of the service.
 * @param names files, relative to the working directory, or packages that are installed there
 * @throws StartFailed with a line that names the module and what is wrong
 */
export async function loadExtensions(names: readonly string[]): Promise<void> {
  await shareEntryPoint();
  const extensions: Extension[] = [];
  for (const name of names) {
    const extension = await load(name);
    const errors = declarationErrors(extension, extensions);
    if (errors.length > 0) throw wrong(name, errors.join('; '));
    extensions.push(extension);
  }
  registerExtensions(extensions);
}

async function load(name: string): Promise<Extension> {
  let exports: { readonly default?: unknown };
  try {
    exports = (await import(urlOf(name))) as typeof exports;
  } catch (error) {
    throw wrong(name, `cannot be loaded: ${reasonOf(error)}`);
  }
  if (isExtension(exports.default)) return exports.default;
  throw wrong(name, 'its default export must be the result of defineExtension()');
}

/** @throws Error if the package does not exist */
function urlOf(name: string): string {
  const isFile = /^\.{0,2}\//.test(name) || /\.m?js$/.test(name);
  const path = isFile ? resolve(name) : nodeModule.createRequire(join(process.cwd(), 'package.json')).resolve(name);
  return pathToFileURL(path).href;
}

const wrong = (name: string, what: string): StartFailed => new StartFailed(`OUTREACH_MODULES: ${name}: ${what}.`);

/**
 * Lets `import … from 'outreach/extension'` of every file lead to the entry point of this process. A second copy, such as
 * one among the packages of the extension, would have classes and tokens of its own.
 */
async function shareEntryPoint(): Promise<void> {
  Object.assign(globalThis, { [Symbol.for(ENTRY_POINT)]: entryPoint });
  const hook = hookModule(sharedModule(Object.keys(entryPoint)));
  // The older function runs hooks in a thread, and newer versions of Node warn about it.
  const { registerHooks } = nodeModule as { readonly registerHooks?: (hooks: object) => void };
  if (registerHooks) registerHooks((await import(hook)) as object);
  else nodeModule.register(hook);
}
