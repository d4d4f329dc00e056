import { IsIn, IsInt, Max, Min } from 'class-validator';
import { normalizeHost } from '@outreach/egress';
import { IMAP_ENCRYPTIONS, type ImapEncryption, SMTP_ENCRYPTIONS, type SmtpEncryption } from '@outreach/mail-sessions';
import {
  customRule,
  type InputClass,
  MaxCodePoints,
  NullableTextField,
  NullResetsTo,
  TextField,
} from '@outreach/http-api/fields';
import { MAX_SECRET_LENGTH } from '../provider.js';

const SMTP_PORTS = [25, 465, 587, 993, 995, 2525] as const;
const DEFAULT_IMAP_PORT = 993;
const DEFAULT_IMAP_ENCRYPTION: ImapEncryption = 'ssl';

const IsHostName = (): PropertyDecorator =>
  customRule('isHostName', [], {
    validate: (value) => typeof value === 'string' && normalizeHost(value) !== undefined,
    message: (field) => `${field} must be a host name or an IP address`,
    schema: {},
  });

/** The mail server of an account, and the server from which its mailbox is read. */
export function smtpInputs(base: InputClass): InputClass {
  class SmtpInputs extends base {
    /**
     * The mail server's host name or IP address, at most 255 characters. Private addresses are refused unless the
     * operator allows them.
     */
    @IsHostName() @MaxCodePoints(255) smtp_host?: string;
    /** The port: 587 and 2525 usually with `tls`, 465 with `ssl`. */
    @IsIn(SMTP_PORTS) smtp_port?: number;
    /** The user name at the mail server, at most 255 characters. It is never shown. */
    @TextField(255) smtp_username?: string;
    /** The password, at most 1,000 characters. It is stored encrypted and never shown. */
    @TextField(MAX_SECRET_LENGTH) smtp_password?: string;
    /** How the connection is encrypted. */
    @NullResetsTo('tls') @IsIn(SMTP_ENCRYPTIONS) smtp_encryption: SmtpEncryption = 'tls';

    /**
     * The host name or IP address of the IMAP server, at most 255 characters, if replies and reports are to be read from
     * the mailbox. Private addresses are refused unless the operator allows them.
     */
    @IsHostName() @NullableTextField(255) imap_host?: string | null;
    /** The port: 993 usually with `ssl`, 143 with `tls`. */
    @NullResetsTo(DEFAULT_IMAP_PORT) @Max(65_535) @Min(1) @IsInt() imap_port: number = DEFAULT_IMAP_PORT;
    /** The user name at the IMAP server, at most 255 characters; that of SMTP by default. It is never shown. */
    @NullableTextField(255) imap_username?: string | null;
    /** The password, at most 1,000 characters; that of SMTP by default. It is stored encrypted and never shown. */
    @NullableTextField(MAX_SECRET_LENGTH) imap_password?: string | null;
    /** How the connection to the IMAP server is encrypted. */
    @NullResetsTo(DEFAULT_IMAP_ENCRYPTION)
    @IsIn(IMAP_ENCRYPTIONS)
    imap_encryption: ImapEncryption = DEFAULT_IMAP_ENCRYPTION;
  }
  return SmtpInputs;
}
