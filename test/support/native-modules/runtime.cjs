const { existsSync } = require('node:fs');
const { register, syncBuiltinESMExports } = require('node:module');
const process = require('node:process');
const { pathToFileURL, URL } = require('node:url');
const threads = require('node:worker_threads');
const { default: JestRuntime } = require('jest-runtime');

register(pathToFileURL(require.resolve('./typescript-loader.mjs')));
process.setSourceMapsEnabled(true);

const HOOKS = pathToFileURL(require.resolve('./register.mjs')).href;

/** A thread has hooks of its own, and its module is compiled from TypeScript, too. */
threads.Worker = class extends threads.Worker {
  constructor(program, options) {
    const source = program instanceof URL ? new URL(program.href.replace(/js$/, 'ts')) : undefined;
    const isCompiled = source === undefined || !existsSync(source);
    super(isCompiled ? program : source, isCompiled ? options : { ...options, execArgv: ['--import', HOOKS] });
  }
};
syncBuiltinESMExports();

/** What Jest sends to a process when no file is left for it. */
const CHILD_MESSAGE_END = 2;
// The service that the specs of a process share is open until then. The end of the run deletes its database.
process.on('message', ([type]) => type === CHILD_MESSAGE_END && process.kill(process.pid, 'SIGKILL'));

/** What Jest's own module system can do, and Node's cannot. */
const REPLACING_MODULES = ['mock', 'doMock', 'setMock', 'unstable_mockModule', 'isolateModules', 'resetModules'];

function refuse() {
  throw new Error('Modules are loaded once by Node, so that they cannot be replaced or reset.');
}

/**
 * Jest's runtime, except that Node imports the test files and everything that they import. So a module is loaded once for
 * all test files of a process, and its code stays optimized. Module-level state is shared between these files, too.
 */
module.exports = class NativeRuntime extends JestRuntime {
  unstable_shouldLoadAsEsm(path) {
    return path.endsWith('.ts') || super.unstable_shouldLoadAsEsm(path);
  }

  async unstable_importModule(path) {
    const globals = this.requireModuleOrMock(path, '@jest/globals');
    for (const name of REPLACING_MODULES) globals.jest[name] = refuse;
    Object.assign(globalThis, globals);
    // Jest translates the positions in stack traces with files of its own. Node knows those of the hooks.
    delete Error.prepareStackTrace;
    await import(pathToFileURL(path).href);
  }
};
