import type { SendResult } from '@outreach/mail-sessions';
import type { WrittenMail } from '@outreach/mail-writing';
import {
  ACCEPTED,
  callSendgrid,
  type SendgridResponse,
  type SendgridApi,
  SendgridKeyRefused,
  SendgridUnavailable,
  sendgridReplyText,
} from './sendgrid-api.js';

const TIMEOUT_MS = 30_000;

/**
 * Sends one email through SendGrid (`POST /v3/mail/send`). The events of SendGrid return the `Message-ID` as
 * `outreach_message_id`, because SendGrid may replace the header.
 * @throws SendgridKeyRefused on 401 and 403: SendGrid refuses the key or the sender's address, not this email
 * @throws SendgridUnavailable if SendGrid is not reachable: nothing was sent
 */
export async function sendThroughSendgrid(api: SendgridApi, mail: WrittenMail): Promise<SendResult> {
  const body = requestOf(mail);
  let response: SendgridResponse;
  try {
    response = await callSendgrid(api, { method: 'POST', path: '/v3/mail/send', body, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (error instanceof SendgridUnavailable) throw error;
    return { kind: 'lost', uncertain: true, reason: 'SendGrid did not respond' };
  }
  return resultOf(response);
}

function resultOf(response: SendgridResponse): SendResult {
  const { status, message_id: messageId } = response;
  if (status === ACCEPTED) return { kind: 'accepted', response: messageId ?? '' };
  const replyText = sendgridReplyText(response);
  if (status === 401 || status === 403) throw new SendgridKeyRefused(`SendGrid refused the account: ${replyText}`);
  if (FROM_GATEWAY.includes(status)) {
    return { kind: 'lost', uncertain: true, reason: `SendGrid responded with ${replyText}` };
  }
  const permanent = status >= 400 && status < 500 && !TRY_AGAIN.includes(status);
  return { kind: 'refused', permanent, phase: 'message', code: status, response: replyText };
}

/** Request Timeout, Too Early, Too Many Requests. */
const TRY_AGAIN: readonly number[] = [408, 425, 429];

/** Bad Gateway, Gateway Timeout: the gateway may have passed the email on. */
const FROM_GATEWAY: readonly number[] = [502, 504];

/** Headers that SendGrid does not accept, because it derives them from the other fields. */
const RESERVED: readonly string[] = [
  'x-sg-id',
  'x-sg-eid',
  'received',
  'dkim-signature',
  'content-type',
  'content-transfer-encoding',
  'to',
  'from',
  'subject',
  'reply-to',
  'cc',
  'bcc',
];

function requestOf(mail: WrittenMail): object {
  const headers = Object.entries(mail.headers).filter(([name]) => !RESERVED.includes(name.toLowerCase()));
  return {
    personalizations: [{ to: [{ email: mail.to }], custom_args: { outreach_message_id: mail.message_id } }],
    from: mail.from,
    subject: mail.subject,
    content: [
      { type: 'text/plain', value: mail.text },
      { type: 'text/html', value: mail.html },
    ].filter(({ value }) => value !== ''),
    headers: { ...Object.fromEntries(headers), 'Message-ID': `<${mail.message_id}>` },
    // What the email has to be tracked with is in it already.
    tracking_settings: {
      click_tracking: { enable: false, enable_text: false },
      open_tracking: { enable: false },
      subscription_tracking: { enable: false },
    },
  };
}
