import { waitForStopSignal } from '../app/commands/signals.js';
import { ApiClient } from './api/api-client.js';
import { DemoFailed } from './demo-failed.js';
import { isBouncing } from './campaign/expected-values.js';
import { runJourney } from './journey.js';
import { Unsubscribers } from './mail/unsubscribers.js';
import { MailCatcher } from './mail/mail-catcher.js';
import { inTemporaryDirectory, withService } from './temporary-service.js';
import { Terminal } from './terminal.js';

const INTERRUPTED = 130;

/**
 * `outreach demo`: a complete campaign on this machine, from an empty database to delivered mail, with a temporary
 * service and mail server. It uses the public API only and checks all results.
 * @returns the exit code: 0; 1 if a result differs from the expected value; 130 if interrupted
 */
export async function runDemo(): Promise<number> {
  const terminal = new Terminal(process.stdout);
  const stop = new AbortController();
  void waitForStopSignal().then(() => stop.abort());
  try {
    return (await runOnOwnService(terminal, stop.signal)) ? 0 : 1;
  } catch (error) {
    if (stop.signal.aborted) {
      terminal.line('Interrupted. All temporary files were removed.');
      return INTERRUPTED;
    }
    if (!(error instanceof DemoFailed)) throw error;
    terminal.line(`FAILED  ${error.message}`);
    return 1;
  }
}

async function runOnOwnService(terminal: Terminal, signal: AbortSignal): Promise<boolean> {
  const unsubscribers = new Unsubscribers();
  const { catcher, host } = await MailCatcher.start({ isBouncing, onMail: (mail) => unsubscribers.receive(mail) });
  try {
    return await inTemporaryDirectory((directory) => {
      terminal.line('A complete campaign on this machine. No message is sent to the internet.\n');
      terminal.line(`Mail server on ${host} that accepts and stores messages`);
      terminal.progress('Preparing an embedded PostgreSQL …');
      return withService(directory, (url, token) => {
        terminal.line(`Service with an embedded PostgreSQL at ${url}, workspace "Demo"`);
        return runJourney({
          api: new ApiClient(url, token, signal),
          catcher,
          mail_host: host,
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
