import { ApiClient } from '../api/api-client.js';
import { CONTENT } from './content.js';
import { createCampaign, created } from './preparation.js';

/** How long the preparation may take. */
const TIMEOUT_MS = 60_000;

/** Between the steps. */
const DELAY_MINUTES = 3 * 24 * 60;

/** The tags say what the contacts do with a message: `@outreach/simulated-recipients`. */
const CONTACTS = [
  {
    first_name: 'Amélie',
    last_name: 'Lacroix',
    company: 'Fromagerie Lacroix',
    industry: 'Food',
    employees: 14,
    tags: 'opened',
  },
  {
    first_name: 'Ben',
    last_name: 'Okafor',
    company: 'Okafor Logistics',
    industry: 'Logistics',
    employees: 85,
    tags: 'replied',
  },
  {
    first_name: 'Chiara',
    last_name: 'Rossi',
    company: 'Rossi Tessuti',
    industry: 'Textiles',
    employees: 42,
    tags: 'opened+clicked',
  },
  {
    first_name: 'Daniel',
    last_name: 'Weber',
    company: 'Weber Metallbau',
    industry: 'Metal',
    employees: 31,
    tags: 'ooo',
  },
  {
    first_name: 'Elena',
    last_name: 'Petrova',
    company: 'Petrova Clinic',
    industry: 'Health',
    employees: 120,
    tags: 'unsubscribed',
  },
  {
    first_name: 'Farid',
    last_name: 'Haddad',
    company: 'Haddad Hotels',
    industry: 'Hospitality',
    employees: 210,
    tags: 'bounced',
  },
  {
    first_name: 'Grace',
    last_name: 'Murphy',
    company: 'Murphy Bakery',
    industry: 'Food',
    employees: 9,
    tags: 'delivered',
  },
  {
    first_name: 'Hugo',
    last_name: 'Silva',
    company: 'Silva Cycling',
    industry: 'Retail',
    employees: 17,
    tags: 'opened+replied',
  },
  { first_name: 'Ines', last_name: 'Moreau', company: 'Moreau Care', industry: 'Health', employees: 64, tags: 'soft' },
  {
    first_name: 'Jonas',
    last_name: 'Berg',
    company: 'Berg Facilities',
    industry: 'Services',
    employees: 150,
    tags: 'bot',
  },
  {
    first_name: 'Keiko',
    last_name: 'Tanaka',
    company: 'Tanaka Foods',
    industry: 'Food',
    employees: 55,
    tags: 'complained',
  },
  {
    first_name: 'Liam',
    last_name: 'Novak',
    company: 'Novak Security',
    industry: 'Services',
    employees: 73,
    tags: 'opened',
  },
] as const;

/**
 * Fills an empty sandbox workspace with contacts, templates, a mailbox and a campaign, and starts that. Its second step follows
 * three days after the first one, by the clock of the sandbox.
 * @throws DemoFailed
 */
export async function startSampleCampaign({
  url,
  token,
}: {
  readonly url: string;
  readonly token: string;
}): Promise<void> {
  const api = new ApiClient(url, token, AbortSignal.timeout(TIMEOUT_MS));
  await api.post('/custom-fields', CONTENT.field);
  const contacts = await api.post('/contacts/bulk-upsert', { contacts: CONTACTS.map(contactOf) });
  const accountId = await created(api, '/email-accounts', {
    name: 'Sample mailbox',
    type: 'smtp',
    ...CONTENT.sender,
    // The simulated mail server of a sandbox takes its place.
    ...{ smtp_host: 'mail.harbour.example', smtp_port: 587, smtp_username: 'nora', smtp_password: 'only an example' },
  });
  const campaignId = await createCampaign(api, accountId, DELAY_MINUTES);
  const ids = contacts.list('data.results').map((result) => result.number('id'));
  await api.post(`/campaigns/${campaignId}/contacts`, { contact_ids: ids });
  await api.post(`/campaigns/${campaignId}/start`);
}

function contactOf({ tags, industry, employees, ...names }: (typeof CONTACTS)[number]): object {
  const name = `${names.first_name}.${names.last_name}`.normalize('NFD').replace(/[^A-Za-z.]/g, '');
  const domain = names.company.replace(/[^A-Za-z]/g, '-');
  return { ...names, email: `${name}+${tags}@${domain}.example`.toLowerCase(), custom_fields: { industry, employees } };
}
