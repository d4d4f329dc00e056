import type { CaughtMail } from './caught-mail.js';

/** Recipients who unsubscribe by one click (RFC 8058) as soon as they receive a message. */
export class Unsubscribers {
  /** The addresses that have unsubscribed. */
  readonly unsubscribed = new Set<string>();
  /** A message for each unsubscribe request that failed. */
  readonly failures: string[] = [];
  private readonly pending = new Set<string>();

  /** These recipients unsubscribe when they receive their next message. */
  add(addresses: readonly string[]): void {
    for (const address of addresses) this.pending.add(address);
  }

  /**
   * Unsubscribes the recipient with the one-click header of the message, if the recipient was added. Does not throw.
   */
  async receive(mail: CaughtMail): Promise<void> {
    if (!this.pending.delete(mail.to)) return;
    const result = await click(mail.one_click_url);
    if (result === 200) this.unsubscribed.add(mail.to);
    else this.failures.push(`The one-click unsubscribe of ${mail.to} failed: ${result}`);
  }
}

/** Returns the status of the response, or the reason if there is no response. */
async function click(url: string | undefined): Promise<number | string> {
  if (url === undefined) return 'the message has no one-click header';
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    return String(error);
  }
}
