import { BRAND_VARIABLES, brandValues, NO_BRAND } from './brand.js';
import { parseTemplate, TemplateBody } from '@outreach/template-language';
import { valueReader } from './template-values.js';

const rendered = (source: string, brand = NO_BRAND, others: object = {}) => {
  const values = valueReader({ ...others, brand: brandValues(brand, 'Alex & Co') });
  const body = TemplateBody.parse(source);
  return { html: body.renderHtml(values), text: body.renderText(values) };
};

describe('the variables of a brand', () => {
  const brand = { brand_name: 'A "B" <C>', brand_color: '#ffe600', logo_url: 'https://cdn.test/l.png?a=1&b="' };

  it('are the logo as an image in HTML, and the escaped name in text, in subjects and without a logo', () => {
    const image =
      '<img src="https://cdn.test/l.png?a=1&amp;b=&quot;" alt="A &quot;B&quot; &lt;C&gt;" height="40" ' +
      'style="display:inline-block;height:40px;width:auto;max-width:100%;border:0;vertical-align:middle">';
    expect(rendered('<p>{{ brand.logo }}</p>', brand)).toEqual({ html: `<p>${image}</p>`, text: 'A "B" <C>' });
    const values = valueReader({ brand: brandValues(brand, '') });
    expect(parseTemplate('{{ brand.logo }}').renderSubject(values)).toBe('A "B" <C>');
    const withoutLogo = rendered('<p>{{ brand.logo }}</p>', { ...brand, logo_url: null });
    expect(withoutLogo.html).toBe('<p>A &quot;B&quot; &lt;C&gt;</p>');
  });

  it('are percent-encoded with `| url`, and not an image', () => {
    expect(rendered('{{ brand.logo | url }}', { ...brand, brand_name: 'A & B' }).html).toBe('A%20%26%20B');
  });

  it('are the name of the sender and the defaults of the template if the workspace has no brand', () => {
    const source = `<p style="color:{{ brand.color | default: '#0c6a4f' }}">{{ brand.logo }}, {{ brand.name }}</p>`;
    expect(rendered(source).html).toBe('<p style="color:#0c6a4f">Alex &amp; Co, Alex &amp; Co</p>');
    expect(rendered(source, { ...NO_BRAND, brand_color: '#123456' }).html).toContain('color:#123456');
  });

  it('are values of every documented variable, and custom fields of similar names keep their values', () => {
    const values = valueReader({ brand: brandValues(brand, '') });
    for (const name of BRAND_VARIABLES) expect(parseTemplate(`{{ ${name} }}`).renderText(values)).not.toBe('');
    const contact = { custom_fields: { brand: 'Ford', brand_color: 'red' } };
    expect(rendered('{{ brand }} {{ brand_color }}', brand, contact).text).toBe('Ford red');
  });
});
