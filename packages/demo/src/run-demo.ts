import { ApiClient } from './api/api-client.js';
import { isBouncing } from './campaign/expected-values.js';
import { DemoFailed } from './demo-failed.js';
import { runJourney } from './journey.js';
import { MailCatcher } from './mail/mail-catcher.js';
import { Unsubscribers } from './mail/unsubscribers.js';
import { inTemporaryDirectory, type StartService, withService } from './temporary-service.js';
import { showStored } from './report.js';
import { Terminal } from './terminal.js';

const INTERRUPTED = 130;

/** What the demo gets from the command that runs it. */
export interface DemoOptions {
  readonly startService: StartService;
  /** The file `examples/contacts.csv`. */
  readonly contacts: URL;
  readonly output: NodeJS.WriteStream;
  /** Interrupts the demo when it is aborted. */
  readonly signal: AbortSignal;
  /** Whether the database stays at the end, also after an interruption. */
  readonly keep: boolean;
}

/**
 * Runs a complete campaign on this machine, from an empty database to delivered mail, with a temporary service and mail
 * server. It uses the public API only and checks all results.
 * @returns the exit code: 0; 1 if a result differs from the expected value; 130 if interrupted
 * @throws what `startService` throws
 */
export async function runDemo(options: DemoOptions): Promise<number> {
  const terminal = new Terminal(options.output);
  try {
    return (await runOnOwnService(options, terminal)) ? 0 : 1;
  } catch (error) {
    if (options.signal.aborted) {
      terminal.line(options.keep ? 'Interrupted.' : 'Interrupted. All temporary files were removed.');
      return INTERRUPTED;
    }
    if (!(error instanceof DemoFailed)) throw error;
    terminal.line(`FAILED  ${error.message}`);
    return 1;
  }
}

async function runOnOwnService(options: DemoOptions, terminal: Terminal): Promise<boolean> {
  const { contacts, keep, signal, startService } = options;
  const unsubscribers = new Unsubscribers();
  const { catcher, host } = await MailCatcher.start({ isBouncing, onMail: (mail) => unsubscribers.receive(mail) });
  try {
    const onStored = keep ? (directory: string) => showStored(terminal, directory) : undefined;
    return await inTemporaryDirectory(onStored, (directory) => {
      terminal.line('A complete campaign on this machine. No message is sent to the internet.\n');
      terminal.line(`Mail server on ${host} that accepts and stores messages`);
      terminal.progress('Preparing an embedded PostgreSQL …');
      return withService(directory, startService, (url, token) => {
        terminal.line(`Service with an embedded PostgreSQL at ${url}, workspace "Demo"`);
        return runJourney({
          api: new ApiClient(url, token, signal),
          catcher,
          mail_host: host,
          contacts,
          unsubscribers,
          terminal,
          signal,
        });
      });
    });
  } finally {
    await catcher.stop();
  }
}
