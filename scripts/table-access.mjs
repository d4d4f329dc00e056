/** Who writes or reads a table of another module (ADR 91), each with the reason why it is not a call of the owner. */

const ERASURE = 'an erasure removes what tells of a person, in all tables in one transaction';
const SENT_IN_ONE_STATEMENT =
  'a claim or a result is one statement, which counts what it sends in the rows of its account';
const PLANNED = 'planning takes due steps and queues their messages in one statement';
const POLLED = 'a poll leases a mailbox and stores its position; email-accounts shows how far it has come';
const SIMULATED = 'sending simulates the mail server of sandboxes, and sandbox does what follows after its messages';

export const WRITES = new Map([
  ['inbound → failed_mails', POLLED],
  ['inbound → mailbox_cursors', POLLED],
  ['inbound → mailbox_readings', POLLED],
  ['personal-data → contacts', ERASURE],
  ['personal-data → import_refused_rows', ERASURE],
  ['personal-data → imports', ERASURE],
  ['personal-data → message_contents', ERASURE],
  ['personal-data → messages', ERASURE],
  ['personal-data → provider_callbacks', ERASURE],
  ['personal-data → queued_messages', ERASURE],
  ['personal-data → replies', ERASURE],
  ['personal-data → sandbox_messages', ERASURE],
  ['personal-data → segment_counts', ERASURE],
  ['personal-data → segments', ERASURE],
  ['sandbox → sandbox_messages', SIMULATED],
  ['sandbox → sandbox_reactions', SIMULATED],
  ['sending → campaigns', 'a campaign that has reached its limit of new contacts is planned later'],
  ['sending → due_steps', PLANNED],
  ['sending → email_account_days', SENT_IN_ONE_STATEMENT],
  ['sending → email_accounts', SENT_IN_ONE_STATEMENT],
  ['sending → enrollments', 'queueing a failed message again restarts its enrollment in the same statement'],
]);

export const READS = new Map([
  ['personal-data → provider_callbacks', ERASURE],
  [
    'platform → workspaces',
    'the planner may know all workspaces of a table but a new one; nothing may leave a workspace that is a sandbox',
  ],
]);
