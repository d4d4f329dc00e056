// Messages per second with one, two and four worker processes beside a process of the API.
// node bench/processes.mjs [messages] [rounds]
import { seedRecipients, sendCampaign, startMailSink } from './fixture/campaign.mjs';
import { compare } from './fixture/compare.mjs';
import { startFixture } from './fixture/service.mjs';

const [messages = 6000, rounds = 3] = process.argv.slice(2).map(Number);
const sink = await startMailSink();
const fixture = await startFixture({ ROLE: 'api' });
const recipients = await seedRecipients(fixture, { accounts: 10, contacts: messages });

async function withWorkers(count) {
  await fixture.startWorkers(count);
  const rate = await sendCampaign(fixture, sink, { ...recipients, messages });
  await fixture.stopWorkers();
  return rate;
}

for (const count of [2, 4]) {
  await compare(`Sending ${messages} messages with ${count} worker processes, compared with one`, {
    rounds,
    ours: () => withWorkers(count),
    baseline: () => withWorkers(1),
    unit: 'messages/s',
    better: 'higher, as far as there are cores',
  });
}
await fixture.stop();
sink.stop();
