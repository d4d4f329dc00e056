import { contactVariables, SAMPLE_CONTACT } from '../../contacts/index.js';
import { parseTemplate } from '@outreach/template-language';
import { valueReader } from '../template-values.js';
import { sampleTemplateValues } from './sample-values.js';

const rendered = (source: string): string => {
  const template = parseTemplate(source);
  return template.renderHtml(valueReader(sampleTemplateValues([template])));
};

describe('sampleTemplateValues', () => {
  it.each(Object.keys(contactVariables(SAMPLE_CONTACT)))('has a value for the contact field %s', (field) => {
    expect(rendered(`{{ ${field} | default: "nothing" }}`)).not.toBe('nothing');
  });

  it('describes one person, one sender and one unsubscribe address', () => {
    const source = '{{ first_name }} {{ last_name }}, {{ full_name }}, {{ email }}, {{ sender.name }}';
    expect(rendered(source)).toBe('Camille Martin, Camille Martin, camille.martin@example.com, Alex Bernard');
    expect(rendered('{{ sender.email }} {{ unsubscribe_url }}')).toBe(
      'alex.bernard@example.com https://example.com/unsubscribe',
    );
  });

  it.each([
    ['{{ favourite_product }}', 'favourite product'],
    ['{{ plan-2 }}', 'plan 2'],
    ['{{ custom_fields.plan_name }}', 'plan name'],
    ['{{ sender.phone }}', 'phone'],
    ['{{ booking_url }}', 'https://example.com/booking'],
    ['{{ demo-page_link }}', 'https://example.com/demo-page'],
    ['{{ url }}', 'https://example.com/'],
    ['{{ hourly }}', 'hourly'],
    ['{{ _ }}', '_'],
    ['{{ constructor }} {{ __proto__ }}', 'constructor proto'],
  ])('renders %s as %s', (source, expected) => {
    expect(rendered(source)).toBe(expected);
  });

  it('has no value for an unknown variable with a default, unless it also occurs without a default', () => {
    expect(rendered('{{ city | default: "your city" }}')).toBe('your city');
    expect(rendered('{{ city | default: "your city" }} {{ city }}')).toBe('city city');
    expect(rendered('{{ first_name | default: "there" }}')).toBe('Camille');
  });

  it('uses the same values in subject and body', () => {
    const [subject, body] = [parseTemplate('{{ plan_name }}'), parseTemplate('{{ plan_name | default: "none" }}')];
    const values = valueReader(sampleTemplateValues([subject, body]));
    expect([subject.renderSubject(values), body.renderHtml(values)]).toEqual(['plan name', 'plan name']);
  });
});
