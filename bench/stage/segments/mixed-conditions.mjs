// Segments of 3, 8 and 20 conditions, and what a hand would write for them: whichever is fastest of one scan that looks
// members up in a hash, one that joins them, and the union of what each alternative finds.

/** @returns {import('./single-conditions.mjs').Case[]} */
export function mixedConditions(world) {
  const facts = factsOf(world);
  const mix = (name, ...groups) => mixed(world, name, groups);
  return [...ofThree(facts, mix), ...ofEight(facts, mix), ...ofTwenty(facts, mix)];
}

/** Conditions, each with what a hand writes for it: a test of the contact, or the members that have it. */
function factsOf({ company, day, lists, members, tags }) {
  const member = (group, id) => ({
    condition: [`${group}_id`, 'equals', id],
    members: members(`${group}_members`, `member.${group}_id = ${id}`),
  });
  const equals = (field, value) => own([field, 'equals', value], `contact.${field} = '${value}'`);
  const contains = (field, value) =>
    own([field, 'contains', value], `lower(contact.${field}) LIKE '%${value.toLowerCase()}%'`);
  const starts = (field, value) =>
    own([field, 'starts_with', value], `lower(contact.${field}) LIKE '${value.toLowerCase()}%'`);
  const filled = (field) => own([field, 'is_not_empty'], `coalesce(contact.${field}, '') <> ''`);
  const mailAt = (domain) =>
    own(['email', 'ends_with', `@${domain}`], `reverse(contact.email) LIKE '${[...`@${domain}`].reverse().join('')}%'`);
  const since = (days) =>
    own(['created_at', 'greater_than', day(-days)], `contact.created_at >= '${day(1 - days)} UTC'`);
  const industry = (value) => own(['custom_fields.industry', 'equals', value], `contact.industry = '${value}'`);
  const scoreOver = (value) => own(['custom_fields.score', 'greater_than', String(value)], `contact.score > ${value}`);
  const scoreUnder = (value) => own(['custom_fields.score', 'less_than', String(value)], `contact.score < ${value}`);
  return {
    ...{ equals, contains, starts, filled, mailAt, since, industry, scoreOver, scoreUnder },
    tagged: (nth) => member('tag', tags[nth]),
    listed: (nth) => member('list', lists[nth]),
    worksAt: (nth) => own(['company_id', 'equals', company + nth], `contact.company_id = ${company + nth}`),
    vip: own(['custom_fields.vip', 'equals', 'true'], 'contact.vip'),
    renewsAfter: (days) =>
      own(['custom_fields.renewal', 'greater_than', day(days)], `contact.renewal > '${day(days)}'`),
    active: equals('status', 'active'),
  };
}

const own = (condition, test) => ({ condition, test });

const OPPOSITES = {
  equals: 'not_equals',
  contains: 'not_contains',
  is_empty: 'is_not_empty',
  is_not_empty: 'is_empty',
};

const not = ({ condition: [field, operator, value], ...rest }) => ({
  ...rest,
  condition: [field, OPPOSITES[operator], value],
  isNegated: true,
});

function ofThree(facts, mix) {
  const { active, contains, equals, industry, listed, mailAt, since, tagged, worksAt } = facts;
  return [
    mix('3 and, one table', [active, equals('lifecycle_stage', 'lead'), contains('job_title', 'marketing')]),
    mix('3 and, several tables', [active, tagged(8), listed(4)]),
    mix('3 and, a tag negated', [active, not(tagged(11)), since(90)]),
    mix(
      '3 or, one table',
      [mailAt('proton.me')],
      [equals('company', 'Nova Bank Group')],
      [equals('job_title', 'VP Legal')],
    ),
    mix('3 or, several tables', [tagged(0)], [listed(0)], [equals('first_name', 'Rosemarie')]),
    mix('3 or, several tables, broad', [tagged(11)], [listed(5)], [equals('lifecycle_stage', 'customer')]),
    mix('3 and/or, several tables', [tagged(2), industry('Software')], [worksAt(0)]),
  ];
}

function ofEight(facts, mix) {
  const { active, contains, equals, filled, industry, listed, mailAt, renewsAfter, scoreOver } = facts;
  const { since, starts, tagged, vip, worksAt } = facts;
  return [
    mix('8 and, one table', [
      ...[active, not(equals('lifecycle_stage', 'customer')), contains('job_title', 'head'), filled('company')],
      ...[filled('linkedin_url'), not(contains('email', 'gmail')), since(365), starts('phone', '+336')],
    ]),
    mix('8 and, several tables', [
      ...[active, tagged(11), not(tagged(0)), listed(5), scoreOver(50)],
      ...[filled('linkedin_url'), contains('job_title', 'sales'), since(600)],
    ]),
    mix(
      '8 or, one table',
      ...[equals('last_name', 'Dupont'), equals('first_name', 'Véronique'), contains('company', 'quantum bank')],
      ...[worksAt(1), mailAt('acmepaper.com'), starts('phone', '+3361234'), contains('linkedin_url', 'hugo-ber')],
      equals('status', 'complained'),
    ),
    mix(
      '8 or, several tables',
      ...[tagged(0), tagged(1), listed(0), worksAt(2), scoreOver(99.5), renewsAfter(720)],
      ...[equals('company', 'Nova Bank Group'), contains('full_name', 'john tay')],
    ),
    mix(
      '8 and/or, several tables',
      [tagged(5), active, industry('Banking')],
      [vip, scoreOver(90)],
      [listed(2), equals('lifecycle_stage', 'opportunity'), contains('job_title', 'finance')],
    ),
  ];
}

function ofTwenty(facts, mix) {
  const { active, contains, equals, filled, industry, listed, mailAt, renewsAfter, scoreOver, scoreUnder } = facts;
  const { since, tagged, vip, worksAt } = facts;
  const strangers = ['gmail', 'outlook', 'yahoo', 'proton', 'orange', 'gmx'].map((name) =>
    not(contains('email', name)),
  );
  const target = [active, filled('company'), filled('job_title'), filled('linkedin_url'), since(500)];
  const lastNames = [
    'Dupont',
    'Duptin',
    'Lefèvre',
    'Bernard',
    'Rousseau',
    'Garcia',
    'Bonnet',
    'Moreau',
    'Simon',
    'Laurent',
  ];
  const titles = ['Head of Sales', 'VP Sales', 'Director of Sales', 'Head of Marketing', 'VP Marketing'];
  return [
    mix('20 and, one table', [
      ...[...target, ...strangers, not(equals('lifecycle_stage', 'customer')), not(equals('lifecycle_stage', 'other'))],
      ...['junior', 'legal', 'finance', 'human'].map((word) => not(contains('job_title', word))),
      ...[not(contains('company', 'bank')), not(contains('company', 'school')), not(equals('first_name', 'Marie'))],
    ]),
    mix('20 and, several tables', [
      ...[
        ...target,
        ...strangers,
        tagged(11),
        listed(5),
        not(tagged(0)),
        not(tagged(1)),
        not(tagged(2)),
        not(listed(0)),
      ],
      ...[scoreOver(20), not(contains('job_title', 'junior')), not(vip)],
    ]),
    mix(
      '20 not, several tables',
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        .map((nth) => not(tagged(nth)))
        .concat(
          [0, 1, 2].map((nth) => not(listed(nth))),
          strangers,
          not(equals('status', 'bounced')),
        ),
    ),
    mix(
      '20 or, one table',
      ...[...lastNames.map((name) => equals('last_name', name)), ...titles.map((title) => equals('job_title', title))],
      ...[
        worksAt(3),
        worksAt(4),
        mailAt('acmepaper.com'),
        contains('company', 'quantum bank'),
        equals('status', 'complained'),
      ],
    ),
    mix(
      '20 or, several tables',
      ...[tagged(0), tagged(1), tagged(2), listed(0), listed(1), scoreOver(99), scoreUnder(1), renewsAfter(720)],
      ...[
        industry('Aerospace'),
        industry('Chemicals'),
        ...lastNames.slice(0, 6).map((name) => equals('last_name', name)),
      ],
      ...[worksAt(3), worksAt(4), mailAt('acmepaper.com'), contains('company', 'quantum bank')],
    ),
    mix(
      '20 and/or, several tables',
      [active, tagged(6), industry('Software'), scoreOver(50), filled('linkedin_url')],
      [active, tagged(7), industry('Banking'), since(180), not(listed(0))],
      [active, listed(3), contains('job_title', 'head'), vip, filled('phone')],
      [active, worksAt(5), not(tagged(1)), not(contains('email', 'gmail')), scoreUnder(80)],
    ),
  ];
}

function mixed(world, name, given) {
  const groups = given.map((group) => (Array.isArray(group) ? group : [group]));
  const match = groups.length === 1 ? 'all' : 'any';
  const conditions = groups.flatMap((group) =>
    group.map(({ condition: [field, operator, value] }, nth) => [field, operator, value, nth > 0 ? 'and' : undefined]),
  );
  const found = groups.length === 1 ? [joined, lookedUp] : [joined, lookedUp, united, unitedLookups];
  return world.several(name, match, conditions, {
    found: found.map((write) => write(world, groups)),
    counts: [...countsByOpposite(world, groups)],
  });
}

const all = (tests) => tests.map((test) => `(${test})`).join(' AND ');
const any = (tests) => tests.map((test) => `(${test})`).join(' OR ');
const exists = ({ members, test }) => test ?? `EXISTS (${members} AND member.contact_id = contact.id)`;
const isIn = ({ members, test }) => test ?? `contact.id IN (SELECT id FROM (${members}) AS members)`;
const said = (write) => (fact) => (fact.isNegated ? `(${write(fact)}) IS NOT TRUE` : write(fact));
const scan = (write) => (world, groups) => world.contacts(any(groups.map((group) => all(group.map(said(write))))));
const joined = scan(exists);
const lookedUp = scan(isIn);

const isOnlyMembers = ([{ members, isNegated }, ...others]) => members && !isNegated && others.length === 0;
const union = (write) => (world, groups) =>
  groups.map((group) => (isOnlyMembers(group) ? group[0].members : write(world, [group]))).join(' UNION ');
const united = union(joined);
const unitedLookups = union(lookedUp);

/** Those who lack all of something are all but those who have any of it. */
function* countsByOpposite(world, groups) {
  const [group, ...others] = groups;
  if (others.length > 0 || !group.every(({ isNegated }) => isNegated)) return;
  const opposite = group.map((fact) => [{ ...fact, isNegated: false }]);
  for (const write of [united, lookedUp]) {
    yield `SELECT ${world.keptTotal} - (SELECT count(*) FROM (${write(world, opposite)}) opposite)`;
  }
}
