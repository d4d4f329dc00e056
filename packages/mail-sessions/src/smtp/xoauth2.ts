import type SMTPConnection from 'nodemailer/lib/smtp-connection';

/**
 * Returns the response of XOAUTH2, the method of Google and Microsoft: the user name and the access token, in base64
 * (https://developers.google.com/workspace/gmail/imap/xoauth2-protocol).
 */
const xoauth2Response = (username: string, accessToken: string): string =>
  Buffer.from(`user=${username}\x01auth=Bearer ${accessToken}\x01\x01`).toString('base64');

/**
 * Returns a handler of nodemailer that logs in once. A server that refuses the token sends a challenge with an error
 * (334 and JSON in base64), and the refusal after an empty response. nodemailer's own handler would send the same token
 * again.
 */
export const xoauth2Handler =
  (username: string, accessToken: string) =>
  async ({ sendCommand }: Pick<SMTPConnection.CustomAuthenticationContext, 'sendCommand'>): Promise<void> => {
    const first = await sendCommand(`AUTH XOAUTH2 ${xoauth2Response(username, accessToken)}`);
    const reply = first.response.startsWith('334') ? await sendCommand('') : first;
    if (!reply.response.startsWith('2')) throw new Error('The server refused the access token.');
  };
