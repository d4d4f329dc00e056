// Runs commands of `outreach` one after the other in one process, so that the code is loaded once for all of them. Each
// message { args, env, cwd } is replied to with { code, stdout, stderr }. `serve` can run here if it refuses to start.
import { tmpdir } from 'node:os';

const CLI = new URL('../../dist/bundle/cli.js', import.meta.url);
const DIRECTORY = tmpdir();
/** What `serve` handles until its process ends. */
const HANDLED = ['SIGTERM', 'SIGINT', 'SIGHUP', 'uncaughtException', 'unhandledRejection'];
let runs = 0;

/** Thrown by `process.exit`, which a command calls for an argument that commander refuses. */
class Exit extends Error {}

process.exit = (code) => {
  if (code !== undefined) process.exitCode = code;
  throw new Exit();
};

async function run({ args, env, cwd = DIRECTORY }) {
  const output = { stdout: '', stderr: '' };
  const capture = (name) => (text) => (output[name] += text) && true;
  const { stdout, stderr } = process;
  const write = { stdout: stdout.write, stderr: stderr.write };
  [stdout.write, stderr.write] = [capture('stdout'), capture('stderr')];
  for (const name of Object.keys(process.env)) if (name !== 'PATH') delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, 'outreach', ...args];
  process.exitCode = 0;
  try {
    // A query makes Node evaluate this one module again; those that it imports stay loaded.
    await import(`${CLI.href}?run=${(runs += 1)}`);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  } finally {
    [stdout.write, stderr.write] = [write.stdout, write.stderr];
    for (const event of HANDLED) process.removeAllListeners(event);
  }
  return { code: process.exitCode, ...output };
}

let last = Promise.resolve();
process.on('message', (message) => {
  last = last.then(() => run(message)).then((result) => process.send(result));
});
