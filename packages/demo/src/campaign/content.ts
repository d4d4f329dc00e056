/** The records that the demo creates. */
export const CONTENT = {
  field: { key: 'employees', label: 'Employees', type: 'number' },
  list: { name: 'Autumn prospects', description: 'Imported from examples/contacts.csv' },
  tag: { name: 'demo', color: '#2f6fde' },
  sender: { from_name: 'Nora Lindqvist', from_email: 'nora@harbour.example' },
  templates: [
    {
      name: 'Introduction',
      category: 'prospection',
      subject: 'How {{ company | default: "your team" }} plans its week',
      body: [
        '<p>Hello {{ first_name | default: "there" }},</p>',
        '<p>I am {{ sender.name }} from Harbour. We help teams in {{ industry | default: "your trade" }} to plan',
        'their shifts in minutes instead of an afternoon. With {{ employees }} people at',
        '{{ company | default: "your company" }} that may be worth a look.</p>',
        '<p>Would ten minutes next week suit you?</p>',
        '<p>{{ sender.name }}</p>',
      ].join('\n'),
    },
    {
      name: 'Follow-up',
      category: 'follow-up',
      subject: 'Re: How {{ company | default: "your team" }} plans its week',
      body: [
        '<p>Hello {{ first_name | default: "there" }},</p>',
        '<p>just in case my last message came at a bad moment: shall I send you a two-minute video instead?</p>',
        '<p>{{ sender.name }}</p>',
        '<p>If this is not for you, <a href="{{ unsubscribe_url }}">one click</a> and I will not write again.</p>',
      ].join('\n'),
    },
  ],
} as const;

/** Field of a contact → column of the imported file. */
export const MAPPING = {
  email: 'Email',
  first_name: 'First name',
  last_name: 'Last name',
  company: 'Company',
  job_title: 'Job title',
  phone: 'Phone',
  linkedin_url: 'LinkedIn',
  'custom_fields.industry': 'Industry',
  'custom_fields.employees': 'Employees',
} as const;
