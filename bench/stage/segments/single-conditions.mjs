// A segment of each kind of condition, and what a hand would write for it.

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {'all' | 'any'} match
 * @property {object[]} conditions as `POST /segments` takes them
 * @property {string[]} found hand-written SELECTs of `id` and `created_at` that all mean the segment
 * @property {string[]} [counts] hand-written statements that count it in another way
 */

/** @returns {Case[]} */
export function singleConditions(world) {
  const { contacts, one } = world;
  const where = (name, condition, ...wheres) => one(name, condition, { found: wheres.map(contacts) });
  return [
    ...textConditions(world, where),
    ...columnConditions(world, where),
    ...memberConditions(world),
    ...customConditions(world, where),
  ];
}

function textConditions({ contacts, email, one, without }, where) {
  const like = (column, pattern) => `lower(contact.${column}) LIKE '${pattern}'`;
  const empty = (column) => `coalesce(contact.${column}, '') = ''`;
  return [
    where('email contains, selective', ['email', 'contains', 'Sofia.Gar'], like('email', '%sofia.gar%')),
    where(
      'email contains, broad',
      ['email', 'contains', 'gmail'],
      `contact.email LIKE '%gmail%'`,
      like('email', '%gmail%'),
    ),
    one('email not_contains', ['email', 'not_contains', 'gmail'], without(`contact.email LIKE '%gmail%'`)),
    where('email starts_with', ['email', 'starts_with', 'camille.'], `contact.email LIKE 'camille.%'`),
    where('email ends_with', ['email', 'ends_with', '@acmepaper.com'], `reverse(contact.email) LIKE 'moc.repapemca@%'`),
    where('email ends_with, broad', ['email', 'ends_with', '.fr'], `reverse(contact.email) LIKE 'rf.%'`),
    where('email equals', ['email', 'equals', email], `contact.email = '${email}'`),
    where('first_name equals', ['first_name', 'equals', 'Rosemarie'], `contact.first_name = 'Rosemarie'`),
    where('first_name contains', ['first_name', 'contains', 'mar'], like('first_name', '%mar%')),
    where('last_name starts_with', ['last_name', 'starts_with', 'Dupon'], like('last_name', 'dupon%')),
    one('last_name not_equals', ['last_name', 'not_equals', 'Martin'], without(`contact.last_name = 'Martin'`)),
    where('full_name contains', ['full_name', 'contains', 'john tay'], like('full_name', '%john tay%')),
    where('company contains', ['company', 'contains', 'Quantum'], like('company', '%quantum%')),
    where('company equals', ['company', 'equals', 'Nova Bank Group'], `contact.company = 'Nova Bank Group'`),
    where('company is_empty', ['company', 'is_empty'], empty('company')),
    where('phone starts_with', ['phone', 'starts_with', '+33612'], like('phone', '+33612%')),
    where(
      'job_title contains',
      ['job_title', 'contains', 'marketing'],
      like('job_title', '%marketing%'),
      `contact.job_title ILIKE '%marketing%'`,
    ),
    where('job_title contains, 2 letters', ['job_title', 'contains', 'vp'], like('job_title', '%vp%')),
    where('job_title equals', ['job_title', 'equals', 'Head of Sales'], `contact.job_title = 'Head of Sales'`),
    one('job_title not_contains', ['job_title', 'not_contains', 'head of'], without(like('job_title', '%head of%'))),
    where('linkedin_url contains', ['linkedin_url', 'contains', 'olivia-ber'], like('linkedin_url', '%olivia-ber%')),
    where('linkedin_url is_empty', ['linkedin_url', 'is_empty'], empty('linkedin_url')),
    one('linkedin_url is_not_empty', ['linkedin_url', 'is_not_empty'], {
      found: [contacts(`coalesce(contact.linkedin_url, '') <> ''`)],
      counts: without(empty('linkedin_url')).counts,
    }),
  ];
}

function columnConditions({ company, contacts, day, one, without }, where) {
  const noon = `${day(-100)}T12:00:00Z`;
  return [
    one('status equals, broad', ['status', 'equals', 'active'], {
      found: [contacts(`contact.status = 'active'`)],
      counts: without(`contact.status > 'active'`).counts,
    }),
    where('status equals, rare', ['status', 'equals', 'complained'], `contact.status = 'complained'`),
    where('status not_equals', ['status', 'not_equals', 'active'], `contact.status > 'active'`),
    where('lifecycle_stage equals', ['lifecycle_stage', 'equals', 'customer'], `contact.lifecycle_stage = 'customer'`),
    one(
      'lifecycle_stage not_equals',
      ['lifecycle_stage', 'not_equals', 'customer'],
      without(`contact.lifecycle_stage = 'customer'`),
    ),
    where(
      'created_at greater_than',
      ['created_at', 'greater_than', day(-30)],
      `contact.created_at >= '${day(-29)} UTC'`,
    ),
    where(
      'created_at equals, a day',
      ['created_at', 'equals', day(-200)],
      `contact.created_at >= '${day(-200)} UTC' AND contact.created_at < '${day(-199)} UTC'`,
    ),
    where('updated_at less_than', ['updated_at', 'less_than', noon], `contact.updated_at < '${noon}'`),
    where('subscribed_at greater_than', ['subscribed_at', 'greater_than', noon], `contact.subscribed_at > '${noon}'`),
    where('unsubscribed_at is_not_empty', ['unsubscribed_at', 'is_not_empty'], 'contact.unsubscribed_at IS NOT NULL'),
    where('company_id equals', ['company_id', 'equals', company], `contact.company_id = ${company}`),
    where('company_id is_empty', ['company_id', 'is_empty'], 'contact.company_id IS NULL'),
  ];
}

function memberConditions({ contacts, keptTotal, kept, lists, members, one, tags }) {
  const anyTag = members('tag_members', 'TRUE');
  const tagged = `(SELECT count(*) FROM (SELECT DISTINCT member.id FROM (${anyTag}) member) tagged)`;
  const has = (group, id) => ({
    found: [members(`${group}_members`, `member.${group}_id = ${id}`)],
    counts: [`SELECT ${kept(`${group}_members`, id)}`],
  });
  const lacks = (group, id) => ({
    found: [
      contacts(
        `NOT EXISTS (${members(`${group}_members`, `member.${group}_id = ${id}`)} AND member.contact_id = contact.id)`,
      ),
      contacts(`NOT EXISTS (${members(`${group}_members`, `member.${group}_id = ${id}`)}
        AND member.contact_created_at = contact.created_at AND member.contact_id = contact.id)`),
    ],
    counts: [`SELECT ${keptTotal} - ${kept(`${group}_members`, id)}`],
  });
  const noTag = contacts(`NOT EXISTS (${members('tag_members', 'member.contact_id = contact.id')})`);
  const someTag = contacts(`EXISTS (${members('tag_members', 'member.contact_id = contact.id')})`);
  return [
    one('tag_id equals, 0.5 %', ['tag_id', 'equals', tags[0]], has('tag', tags[0])),
    one('tag_id equals, 10 %', ['tag_id', 'equals', tags.at(-1)], has('tag', tags.at(-1))),
    one('tag_id not_equals', ['tag_id', 'not_equals', tags.at(-1)], lacks('tag', tags.at(-1))),
    one('tag_id is_empty', ['tag_id', 'is_empty'], {
      found: [noTag],
      counts: [`SELECT ${keptTotal} - ${tagged}`],
    }),
    one('tag_id is_not_empty', ['tag_id', 'is_not_empty'], { found: [someTag], counts: [tagged] }),
    one('list_id equals, 1 %', ['list_id', 'equals', lists[0]], has('list', lists[0])),
    one('list_id equals, 40 %', ['list_id', 'equals', lists.at(-1)], has('list', lists.at(-1))),
    one('list_id not_equals', ['list_id', 'not_equals', lists.at(-1)], lacks('list', lists.at(-1))),
  ];
}

function customConditions({ day, one, without }, where) {
  const like = (pattern) => `lower(contact.industry) LIKE '${pattern}'`;
  const [industry, score] = ['custom_fields.industry', 'custom_fields.score'];
  const [vip, renewal] = ['custom_fields.vip', 'custom_fields.renewal'];
  return [
    where('custom text equals', [industry, 'equals', 'Aerospace services'], `contact.industry = 'Aerospace services'`),
    where('custom text contains', [industry, 'contains', 'estate con'], like('%estate con%')),
    where('custom text contains, broad', [industry, 'contains', 'consulting'], like('%consulting%')),
    one('custom text not_contains', [industry, 'not_contains', 'bank'], without(like('%bank%'))),
    where('custom text starts_with', [industry, 'starts_with', 'Text'], like('text%')),
    where('custom text is_empty', [industry, 'is_empty'], `coalesce(contact.industry, '') = ''`),
    where('custom number greater_than', [score, 'greater_than', '98.5'], 'contact.score > 98.5'),
    where('custom number less_than, broad', [score, 'less_than', '50'], 'contact.score < 50'),
    where('custom number equals', [score, 'equals', '42.5'], 'contact.score = 42.5'),
    where('custom number is_empty', [score, 'is_empty'], 'contact.score IS NULL'),
    where('custom boolean, true', [vip, 'equals', 'true'], 'contact.vip'),
    where('custom boolean, false', [vip, 'equals', 'false'], 'NOT contact.vip'),
    where('custom date greater_than', [renewal, 'greater_than', day(700)], `contact.renewal > '${day(700)}'`),
    where('custom date equals', [renewal, 'equals', day(90)], `contact.renewal = '${day(90)}'`),
  ];
}
