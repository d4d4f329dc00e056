// Messages per second of the whole service, compared with a nodemailer pool that sends the same messages to the same
// server, and with a queue of one job per message on Redis.
// node bench/sending.mjs [messages] [rounds]
import nodemailer from 'nodemailer';
import { MAIL_SERVER, messageFor, seedRecipients, sendCampaign, startMailSink } from './fixture/campaign.mjs';
import { compare } from './fixture/compare.mjs';
import { startJobPerMessage } from './fixture/job-per-message.mjs';
import { startFixture } from './fixture/service.mjs';

const [messages = 20_000, rounds = 3] = process.argv.slice(2).map(Number);
const ACCOUNTS = 10;
const CONNECTIONS = 5;

const sink = await startMailSink();
const fixture = await startFixture();
const recipients = await seedRecipients(fixture, { accounts: ACCOUNTS, contacts: messages });
const jobPerMessage = await startJobPerMessage(fixture.database, ACCOUNTS * CONNECTIONS);

async function baseline() {
  const pool = nodemailer.createTransport({
    pool: true,
    maxConnections: ACCOUNTS * CONNECTIONS,
    maxMessages: Infinity,
    ...MAIL_SERVER,
    ignoreTLS: true,
  });
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: messages }, (_, number) => pool.sendMail(messageFor(number))));
  pool.close();
  return (messages / (performance.now() - startedAt)) * 1000;
}

await compare(`Sending ${messages} messages of 5 kB over ${ACCOUNTS * CONNECTIONS} connections`, {
  rounds,
  ours: () => sendCampaign(fixture, sink, { ...recipients, messages }),
  baseline,
  alternative: jobPerMessage && (() => jobPerMessage.run(messages)),
  unit: 'messages/s',
  better: 'higher',
  bounds: { required: 0.75, target: 0.9 },
  fixture,
  operations: () => messages,
});
await jobPerMessage?.stop();
await fixture.stop();
sink.stop();
