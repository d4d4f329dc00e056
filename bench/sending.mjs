// Messages per second of the whole service, compared with a nodemailer pool that sends the same messages to the same server.
// node bench/sending.mjs [messages] [rounds]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import nodemailer from 'nodemailer';
import { compare } from './fixture/compare.mjs';
import { startFixture } from './fixture/service.mjs';

const [messages = 6000, rounds = 3] = process.argv.slice(2).map(Number);
const ACCOUNTS = 10;
const CONNECTIONS = 5;
const HOST = '127.0.0.53';
const BODY = `<html><body><p>Hello {{ first_name }},</p>${'<p>We would like to show you what we make.</p>\n'.repeat(100)}</body></html>`;

const mailSink = fork(new URL('./fixture/mail-sink.mjs', import.meta.url), [HOST]);
await once(mailSink, 'message');
process.on('exit', () => mailSink.kill());
const receivedCount = async () => {
  mailSink.send('count');
  return (await once(mailSink, 'message'))[0].received;
};
const fixture = await startFixture();
const accounts = await Promise.all(
  Array.from({ length: ACCOUNTS }, (_, number) =>
    fixture.call('POST', '/email-accounts', {
      name: `Account ${number}`,
      type: 'smtp',
      from_email: `sender${number}@sender.example`,
      from_name: 'Sender',
      daily_limit: 10_000,
      smtp_host: HOST,
      smtp_port: 2525,
      smtp_username: 'u',
      smtp_password: 'p',
    }),
  ),
);
await fixture.database.query(
  `INSERT INTO contacts (workspace_id, email, first_name)
   SELECT $1, 'person' || n || '@example.com', 'Name' || n FROM generate_series(1, $2::int) n`,
  [fixture.workspaceId, messages],
);
const { data: list } = await fixture.call('POST', '/lists', { name: 'All' });
await fixture.database.query(
  `INSERT INTO list_members (workspace_id, list_id, contact_id, contact_created_at)
   SELECT workspace_id, $1, id, created_at FROM contacts`,
  [list.id],
);
await fixture.database.query('VACUUM ANALYZE');

async function ours() {
  const { data: campaign } = await fixture.call('POST', '/campaigns', {
    name: 'Bench',
    email_account_ids: accounts.map(({ data }) => data.id),
    unsubscribe_footer: false,
    steps: [{ subject: 'Hello {{ first_name }}', body: BODY }],
  });
  await fixture.call('POST', `/campaigns/${campaign.id}/contacts/enroll-from-lists`, { list_ids: [list.id] });
  const before = await receivedCount();
  const startedAt = performance.now();
  await fixture.call('POST', `/campaigns/${campaign.id}/start`);
  while ((await receivedCount()) < before + messages) await pause(10);
  const rate = (messages / (performance.now() - startedAt)) * 1000;
  while ((await fixture.call('GET', `/campaigns/${campaign.id}`)).data.status !== 'completed') await pause(50);
  await fixture.database.query('UPDATE email_accounts SET sent_count = 0');
  return rate;
}

async function baseline() {
  const pool = nodemailer.createTransport({
    pool: true,
    maxConnections: ACCOUNTS * CONNECTIONS,
    maxMessages: Infinity,
    host: HOST,
    port: 2525,
    ignoreTLS: true,
  });
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: messages }, (_, number) =>
      pool.sendMail({
        from: { name: 'Sender', address: 'sender@sender.example' },
        to: { name: '', address: `person${number}@example.com` },
        subject: `Hello Name${number}`,
        html: BODY.replace('{{ first_name }}', `Name${number}`),
        text: 'Hello',
      }),
    ),
  );
  pool.close();
  return (messages / (performance.now() - startedAt)) * 1000;
}

await compare(`Sending ${messages} messages of 5 kB over ${ACCOUNTS * CONNECTIONS} connections`, {
  rounds,
  ours,
  baseline,
  unit: 'messages/s',
  better: 'higher; required 0.75, target 0.90',
});
await fixture.stop();
mailSink.disconnect();
