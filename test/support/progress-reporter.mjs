// Shows each file when it is done, and the failures at the end. `scripts/test.mjs` reads the results from TEST_RESULTS.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/** The words that run a file alone. */
export const commandFor = (file) => `npm test -- ${file.replace(/^test\//, '').replace(/\.spec\.ts$/, '')}`;

/** A reporter of Jest. https://jestjs.io/docs/configuration#custom-reporters */
export default class ProgressReporter {
  #total = 0;
  #files = [];

  onRunStart({ numTotalTestSuites }) {
    this.#total = numTotalTestSuites;
  }

  onTestResult(_test, result, { numFailedTests, numRuntimeErrorTestSuites }) {
    const file = relative(process.cwd(), result.testFilePath);
    const failures = result.testResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
    const failed = result.testExecError ? Math.max(failures.length, 1) : failures.length;
    const message = result.failureMessage?.trimEnd() ?? '';
    const { numPassingTests: passed, numPendingTests: skipped } = result;
    this.#files.push({ file, passed, failed, skipped, failures, message });
    const number = String(this.#files.length).padStart(String(this.#total).length);
    const took = seconds(result.perfStats.end - result.perfStats.start);
    const sum = numFailedTests + numRuntimeErrorTestSuites;
    const soFar = sum > 0 ? `  (${sum} failed so far)` : '';
    console.log(`${failed > 0 ? 'FAIL' : 'ok  '} [${number}/${this.#total}] ${file}  ${passed} tests, ${took}${soFar}`);
    for (const title of failures) console.log(`     ✕ ${title}`);
    // What a test writes is shown where it belongs.
    for (const { message: text } of result.console ?? []) console.log(text.trimEnd());
  }

  onRunComplete() {
    if (process.env.TEST_RESULTS) return writeFileSync(process.env.TEST_RESULTS, JSON.stringify(this.#files));
    printSummary(this.#files);
  }
}

/** Prints the failures, each with the command that runs its file alone, and one plain line that any tool can read. */
export function printSummary(files, flaky = []) {
  const failing = files.filter(({ failed }) => failed > 0);
  if (failing.length > 0) console.log('\nFailures');
  for (const { file, message } of failing) console.log(`\n${message}\n\n  Run it alone: ${commandFor(file)}`);
  const sum = (key) => files.reduce((total, each) => total + each[key], 0);
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(sum);
  console.log(`\nFiles: ${files.length - failing.length} passed, ${failing.length} failed`);
  if (flaky.length > 0) console.log(`\nFlaky: (failed in the run, passed when run once more alone)`);
  for (const { file, failures } of flaky) for (const title of failures) console.log(`  ${file} › ${title}`);
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}
