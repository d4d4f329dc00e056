import type { CaughtMail } from './caught-mail.js';

/** Recipients who unsubscribe by one click (RFC 8058) as soon as they get a message. */
export class Unsubscribers {
  /** Those who have left. */
  readonly unsubscribed = new Set<string>();
  /** What the service answered instead of a success, in words. */
  readonly failures: string[] = [];
  private readonly pending = new Set<string>();

  /** From now on these leave with their next message. */
  add(addresses: readonly string[]): void {
    for (const address of addresses) this.pending.add(address);
  }

  /** Unsubscribes the recipient through the message's own header, if the recipient wants that. Never throws. */
  async receive(mail: CaughtMail): Promise<void> {
    if (!this.pending.delete(mail.to)) return;
    const result = await click(mail.one_click_url);
    if (result === 200) this.unsubscribed.add(mail.to);
    else this.failures.push(`The one-click unsubscribe of ${mail.to} was answered: ${result}`);
  }
}

/** The status of the answer, or why there is none. */
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
