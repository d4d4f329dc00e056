import { readFileSync } from 'node:fs';
import { definedReasons, defineReason } from '@outreach/http-errors';
import type { ApiClient } from '../support/api-client.js';
import { httpError, validationError } from '../support/expected.js';
import { Given } from '../support/given.js';
import { useSharedService } from '../support/service.js';

describe('the reason of an error', () => {
  const service = useSharedService();
  let api: ApiClient;
  let given: Given;
  let document: any;

  beforeAll(async () => {
    document = await (await fetch(`${service.url}/openapi.json`)).json();
  });
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  it('is one of an enum of the API reference, which explains each, and of the page about errors', () => {
    const { enum: values, description } = document.components.schemas.ErrorReason;
    const codes = [...new Set(definedReasons().map(({ code }) => code))];
    expect(values).toEqual(codes);
    const page = readFileSync('docs/errors.md', 'utf8');
    for (const { code, status, meaning } of definedReasons()) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(description).toContain(`(${status}) ${meaning}`);
      expect(page).toContain(`| \`${code}\` | ${status} | ${meaning} |`);
    }
  });

  it('is in snake_case', () => {
    expect(() => defineReason('NotActive', 409, 'Wrong.')).toThrow(/snake_case/);
    expect(() => defineReason('not-active', 409, 'Wrong.')).toThrow(/snake_case/);
  });

  it('is required by the schemas of 409 and 412, and of the 403 and the 422 of a rule', () => {
    const { schemas, responses } = document.components;
    expect(schemas.RuleViolation.required).toContain('reason');
    expect(schemas.RuleViolation.properties.reason.$ref).toBe('#/components/schemas/ErrorReason');
    const bodyOf = (name: string): unknown => responses[name].content['application/json'].schema;
    const rule = { $ref: '#/components/schemas/RuleViolation' };
    expect([bodyOf('Conflict'), bodyOf('PreconditionFailed')]).toEqual([rule, rule]);
    expect(bodyOf('Forbidden')).toEqual({ anyOf: [{ $ref: '#/components/schemas/AuthenticationError' }, rule] });
    expect(bodyOf('Invalid')).toEqual({ anyOf: [{ $ref: '#/components/schemas/ValidationErrorResponse' }, rule] });
  });

  it('is not part of validation errors, of missing permissions and of missing records', async () => {
    expect((await api.post('/contacts', {})).body).toEqual(validationError('email'));
    expect((await api.get('/contacts/0')).body).toEqual(httpError(404));
    const reader = await service.client(['contacts:read']);
    expect((await reader.post('/contacts', {})).body).toEqual({ error: 'Forbidden', message: expect.any(String) });
  });

  it('is that of a list of conflicts and rules of different modules', async () => {
    const { id: contact, email } = await given.contact();
    await service.database.query(`UPDATE contacts SET status = 'bounced' WHERE id = $1`, [contact]);
    for (const path of ['/lists', '/tags']) await api.post(path, { name: 'A' });
    await api.post('/custom-fields', { key: 'plan', type: 'text' });
    await api.post('/blacklist', { email: 'no@example.com' });
    const { data: campaign } = await api.post('/campaigns', { name: 'Spring' });
    const refused = [
      await api.post('/contacts', { email }),
      await api.post('/lists', { name: 'A' }),
      await api.post('/tags', { name: 'A' }),
      await api.post('/custom-fields', { key: 'plan', type: 'text' }),
      await api.post('/blacklist', { email: 'no@example.com' }),
      await api.post(`/contacts/${contact}/resubscribe`),
      await api.post(`/campaigns/${campaign.id}/pause`),
      await api.post(`/campaigns/${campaign.id}/start`),
    ];
    expect(refused.map(({ status, body }) => [status, body.reason])).toEqual([
      [409, 'email_taken'],
      [409, 'name_taken'],
      [409, 'name_taken'],
      [409, 'key_taken'],
      [422, 'already_blacklisted'],
      [422, 'not_resubscribable'],
      [409, 'not_active'],
      [422, 'no_steps'],
    ]);
  });
});
