import { contactVariables, type ContactVariablesRow, SAMPLE_CONTACT } from './contact-variables.js';

const anna: ContactVariablesRow = {
  ...SAMPLE_CONTACT,
  email: 'anna@example.com',
  first_name: 'Anna',
  last_name: null,
  company: null,
  subscribed_at: new Date('2026-01-02T03:04:05.678Z'),
  unsubscribed_at: null,
  created_at: '2026-01-02T03:04:05.678+00:00',
  updated_at: '2026-01-02T04:04:05+01:00',
};

describe('contactVariables', () => {
  it('returns the fields of the record, with dates as the API formats them', () => {
    expect(contactVariables(anna)).toMatchObject({
      email: 'anna@example.com',
      full_name: 'Anna',
      company: null,
      subscribed_at: '2026-01-02T03:04:05.678Z',
      unsubscribed_at: null,
      created_at: '2026-01-02T03:04:05.678Z',
      updated_at: '2026-01-02T03:04:05.000Z',
    });
  });

  it('joins first and last name as far as they are present', () => {
    expect(contactVariables({ ...anna, last_name: 'Lee' }).full_name).toBe('Anna Lee');
    expect(contactVariables({ ...anna, first_name: null, last_name: 'Lee' }).full_name).toBe('Lee');
    expect(contactVariables({ ...anna, first_name: null }).full_name).toBeNull();
  });

  it('adds custom fields but never overwrites a field of the record', () => {
    const variables = contactVariables({ ...anna, custom_fields: { plan: 'pro', seats: 3, company: 'Evil Corp' } });
    expect(variables).toMatchObject({ plan: 'pro', seats: 3, company: null });
    expect(variables).not.toHaveProperty('custom_fields');
  });
});
