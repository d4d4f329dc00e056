import type { ReceivedMail } from './received-mail.js';

/** Recipients who unsubscribe by one click (RFC 8058) as soon as they get a message. */
export class Leavers {
  /** Those who have left. */
  readonly gone = new Set<string>();
  /** What the service answered instead of a success, in words. */
  readonly failures: string[] = [];
  private readonly wanting = new Set<string>();

  /** From now on these leave with their next message. */
  expect(addresses: readonly string[]): void {
    for (const address of addresses) this.wanting.add(address);
  }

  /** Unsubscribes the recipient through the message's own header, if the recipient wants that. Never throws. */
  async read(mail: ReceivedMail): Promise<void> {
    if (!this.wanting.delete(mail.to)) return;
    const answer = await click(mail.one_click_url);
    if (answer === 200) this.gone.add(mail.to);
    else this.failures.push(`The one-click unsubscribe of ${mail.to} was answered: ${answer}`);
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
