// Mailboxes per second that are read without new mail: connect with TLS, log in, examine inbox and junk folder, search.
// Compared with imapflow alone in one process. Requires dovecot.
// node bench/mailboxes.mjs [mailboxes] [rounds]
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { ImapFlow } from 'imapflow';
import { compare } from './fixture/compare.mjs';
import { hasDovecot, MAILBOX_PASSWORD, startDovecot } from './fixture/dovecot.mjs';
import { startFixture } from './fixture/service.mjs';

const [mailboxes = 500, rounds = 3] = process.argv.slice(2).map(Number);
const CONNECTIONS = 50;
const ca = fileURLToPath(new URL('../test/support/tls/ca.pem', import.meta.url));

if (!hasDovecot()) {
  console.log('dovecot is not installed: the reading of mailboxes is not measured.');
  process.exit(0);
}
const dovecot = await startDovecot();
// The rounds below are due when they begin, and at no other time.
const fixture = await startFixture({ NODE_EXTRA_CA_CERTS: ca, MAILBOX_POLL_SECONDS: '86400' });
const userOf = (number) => `user${number}`;

await fixture.call('POST', '/email-accounts', {
  name: 'Account',
  type: 'smtp',
  from_email: 'sender@sender.example',
  from_name: 'Sender',
  smtp_host: '127.0.0.1',
  smtp_port: 2525,
  smtp_username: 'u',
  smtp_password: MAILBOX_PASSWORD,
  imap_host: '127.0.0.1',
  imap_port: dovecot.port,
  imap_encryption: 'ssl',
  imap_username: userOf(1),
  imap_password: MAILBOX_PASSWORD,
});
const columns = `workspace_id, name, type, from_email, from_name, smtp_host, smtp_port, smtp_username, smtp_encryption,
  smtp_password_encrypted, imap_host, imap_port, imap_encryption, imap_password_encrypted`;
await fixture.database.query(
  `INSERT INTO email_accounts (${columns}, imap_username)
   SELECT ${columns}, 'user' || n FROM email_accounts, generate_series(2, $1::int) n`,
  [mailboxes],
);

/** @returns how many mailboxes were read since an instant */
async function readSince(instant) {
  const { rows } = await fixture.database.query('SELECT count(*)::int FROM mailbox_readings WHERE read_at >= $1', [
    instant,
  ]);
  return rows[0].count;
}

async function ours() {
  const { rows } = await fixture.database.query(
    'UPDATE mailbox_readings SET next_read_at = now() RETURNING next_read_at',
  );
  const startedAt = performance.now();
  while ((await readSince(rows[0].next_read_at)) < mailboxes) await pause(50);
  return (mailboxes / (performance.now() - startedAt)) * 1000;
}

async function readOne(user) {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port: dovecot.port,
    secure: true,
    tls: { rejectUnauthorized: false },
    auth: { user, pass: MAILBOX_PASSWORD },
    logger: false,
  });
  await client.connect();
  for (const folder of ['INBOX', 'Junk']) {
    await client.mailboxOpen(folder, { readOnly: true });
    await client.search({ uid: '1:*' }, { uid: true });
  }
  await client.logout();
}

async function baseline() {
  let next = 1;
  const startedAt = performance.now();
  const loop = async () => {
    while (next <= mailboxes) await readOne(userOf(next++));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  return (mailboxes / (performance.now() - startedAt)) * 1000;
}

// Dovecot creates the folders at the first login.
await ours();
await compare(`Reading ${mailboxes} mailboxes without new mail`, {
  rounds,
  ours,
  baseline,
  unit: 'mailboxes/s',
  better: 'higher',
  fixture,
  operations: () => mailboxes,
});
await fixture.stop();
await dovecot.stop();
