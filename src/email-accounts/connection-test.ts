import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../platform/config/index.js';
import { EgressPolicy } from '../platform/egress/index.js';
import { NotFound } from '../platform/errors/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { MailboxCredentials } from './credentials.js';
import type { EmailAccountsConfig } from './email-accounts.settings.js';
import { LoginRefused, ProviderUnavailable } from './login-failures.js';
import { Mailboxes } from './mailboxes.js';
import { verifySendgridKey } from './sendgrid/index.js';
import { openSmtpSession } from './smtp/index.js';

const TIMEOUT_MS = 10_000;

/** The result of a test, with a message for the owner of the account. */
export interface ConnectionTestResult {
  readonly success: boolean;
  readonly message: string;
}

/** Tests whether an account can log in, without sending anything. */
@Injectable()
export class ConnectionTest {
  constructor(
    private readonly mailboxes: Mailboxes,
    private readonly policy: EgressPolicy,
    @Inject(CONFIG) private readonly config: EmailAccountsConfig,
  ) {}

  /** Connects and logs in, within 10 seconds. @throws NotFound */
  async run(scope: WorkspaceScope, id: number): Promise<ConnectionTestResult> {
    const mailbox = await this.mailboxes.find(scope, id);
    if (!mailbox) throw new NotFound('Email account');
    try {
      return { success: true, message: await this.logIn(mailbox.credentials) };
    } catch (error) {
      const isExpected = error instanceof LoginRefused || error instanceof ProviderUnavailable;
      if (!isExpected) throw error;
      return { success: false, message: error.message };
    }
  }

  private async logIn(credentials: MailboxCredentials): Promise<string> {
    switch (credentials.type) {
      case 'smtp': {
        const { smtp } = credentials;
        const session = await openSmtpSession(smtp, { policy: this.policy, timeoutMs: TIMEOUT_MS });
        session.close();
        return `Connected to ${smtp.host}, port ${smtp.port}, and logged in.`;
      }
      case 'sendgrid':
        await verifySendgridKey({ base_url: this.config.sendgrid_base_url, api_key: credentials.api_key });
        return 'SendGrid accepted the API key.';
      default:
        return credentials satisfies never;
    }
  }
}
