// The runner of Jest that `scripts/mutate.mjs` uses: it runs the specs once for each mutant, in one process.
import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import TestRunner from 'jest-runner';

const require = createRequire(import.meta.url);
/** Jest loads these classes from the same cache. */
const Environment = require('../native-modules/environment.cjs');
const Runtime = require('../native-modules/runtime.cjs');

/** A test of a mutant may take four times as long as the longest test of the unbroken code, and at least this. */
const MIN_LIMIT_MS = 40_000;

const { mutants, mutated, specs, longestMs, results } = JSON.parse(process.env.MUTANTS);
register('./loader.mjs', import.meta.url, { data: mutated });
const report = (line) => appendFileSync(results, `${JSON.stringify(line)}\n`);

/** Of the mutant that runs: whether a test has failed, and how long the longest test of the unbroken code took. */
const state = { isNoticed: false, longestMs };

/** What a test that failed, a hook that failed, or an error outside of both is called by Jest. */
const FAILURES = ['test_fn_failure', 'hook_failure', 'error'];

Environment.prototype.handleTestEvent = function handleTestEvent({ name, test }, run) {
  const isUnbroken = globalThis.mutant === 0;
  const limit = Math.max(MIN_LIMIT_MS, 4 * state.longestMs);
  if (FAILURES.includes(name)) state.isNoticed = true;
  if (name === 'run_start' && !isUnbroken) run.testTimeout = limit;
  if (name === 'test_start') {
    report({ test: test.name });
    if (state.isNoticed) test.mode = 'skip';
    if (!isUnbroken) test.timeout = limit;
  }
  if (name === 'test_done' && isUnbroken) state.longestMs = Math.max(state.longestMs, test.duration ?? 0);
};

const { unstable_importModule: loadGlobals } = Runtime.prototype;

/** Imports the spec with a query of its own, so that Node runs it once more. This file, which is loaded, stands for it. */
Runtime.prototype.unstable_importModule = async function importSpec(path) {
  await loadGlobals.call(this, fileURLToPath(import.meta.url));
  await import(`${pathToFileURL(path).href}?mutant=${globalThis.mutant}`);
};

export default class MutantRunner extends TestRunner {
  /** Runs the specs for each mutant until a test fails. Mutant 0 is the unbroken code, which must pass. */
  async runTests(tests, watcher) {
    report({ dataDir: globalThis.testPostgres.dataDir });
    let failure;
    const off = [
      this.on('test-file-success', ([, { numFailingTests, testExecError, failureMessage }]) => {
        if (numFailingTests > 0 || testExecError) failure = failureMessage ?? String(testExecError?.message);
      }),
      this.on('test-file-failure', ([, error]) => (failure = String(error?.message ?? error))),
    ];
    const order = tests.toSorted((one, other) => specs.indexOf(nameOf(one)) - specs.indexOf(nameOf(other)));
    for (const mutant of mutants) {
      globalThis.mutant = mutant;
      state.isNoticed = false;
      failure = undefined;
      const startedAt = performance.now();
      let spec;
      for (const test of order) {
        if (failure !== undefined) break;
        spec = nameOf(test);
        await super.runTests([test], watcher, { serial: true });
      }
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
      const noticedBy = failure === undefined ? undefined : { spec, failure };
      const { mutatedFiles = [] } = globalThis;
      report({ mutant, seconds, longestMs: state.longestMs, noticedBy, mutatedFiles });
      if (mutant === 0 && (noticedBy || mutatedFiles.length < Object.keys(mutated).length)) break;
    }
    for (const remove of off) remove();
  }
}

const nameOf = ({ path }) => relative(resolve(), path);
