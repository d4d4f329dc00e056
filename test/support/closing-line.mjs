/** Ends a run with one plain line that any tool can read. */
export default class ClosingLine {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites }) {
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    // After the summary of the default reporter, which writes to stderr.
    process.on('exit', () => console.log(`\n${numPassedTests} passed, ${failed} failed${skipped}`));
  }
}
