import {
  TemplateBody,
  parseTemplate,
  RenderedTooLong,
  TemplateSyntaxError,
  TemplateTooLarge,
  toPlainText,
  valuesOf,
} from './index.js';

const textOf = (source: string, values: object = {}): string =>
  TemplateBody.parse(source).renderText(valuesOf({ ...values }));

describe('TemplateBody', () => {
  const body = '<p>Hello {{ name | default: "you" }},</p><p><a href="{{ url }}">{{ words }}</a> {{ city }}</p>';
  const values = { url: 'https://a.test/?a=1&b=2', words: 'Smith & Co', city: 'Lyon {{ name }}' };

  it('renders HTML with escaping, and text without', () => {
    expect(TemplateBody.parse(body).renderHtml(valuesOf(values))).toBe(
      parseTemplate(body).renderHtml(valuesOf(values)),
    );
    expect(textOf(body, values)).toBe('Hello you,\n\nSmith & Co <https://a.test/?a=1&b=2> Lyon {{ name }}');
  });

  it('renders the same text as a conversion of the rendered HTML, wherever the variables are', () => {
    const source = `<p hidden>{{ a }}</p><h1>{{ a }}</h1><ul><li>{{ b }}</ul><!-- {{ a }} --><a href="mailto:{{ b }}">{{ b }}</a>
      <table><tr><th>{{ a }}</th></tr><tr><td>{{ b }}</td></tr></table><img src="{{ a }}"><p style="color:{{ a }}">x</p>`;
    for (const filledIn of [{ a: 'one', b: 'two' }, { a: '1 & 2', b: '' }, { b: 'b@example.com' }]) {
      expect(textOf(source, filledIn)).toBe(toPlainText(TemplateBody.parse(source).renderHtml(valuesOf(filledIn))));
    }
  });

  it.each([
    ['<a href="{{ url }}">{{ url }}</a>', 'https://a.test'],
    ['<a href="{{ url }}">{{url}}</a>', 'https://a.test'],
    ['<a href="{{ url }}">{{ url | default: "here" }}</a>', 'https://a.test <https://a.test>'],
    ['<p>{{ none | default: "<b>one  two</b>" }}</p>', '<b>one  two</b>'],
    ['<p>{{ none | default: "</p><p>" }}</p>', '</p><p>'],
    ['<p>a</p><p>{{ none }}</p><p>{{ none }}</p><p>b</p>', 'a\n\nb'],
    ['<p>{{ none }}</p><p>b</p><p>{{ none }}</p>', 'b'],
    ['<p>x \uFDD07\uFDD1</p>', 'x'],
  ])('renders %j as the text %j', (source, text) => {
    expect(textOf(source, { url: 'https://a.test' })).toBe(text);
  });

  it('leaves HTML without variables unchanged', () => {
    const source =
      '<!DOCTYPE html>\r\n<html>\r\n  <style>@media (x){.a{b:c}}</style>\t<!--[if mso]> <i> <![endif]-->\u00a0\n';
    expect(TemplateBody.parse(source).renderHtml(valuesOf({}))).toBe(source);
  });

  it('throws RenderedTooLong if the result is longer than a megabyte', () => {
    const long = TemplateBody.parse('<p>{{ a }}</p>'.repeat(300));
    expect(() => long.renderText(valuesOf({ a: 'x'.repeat(5_000) }))).toThrow(RenderedTooLong);
    expect(() => long.renderHtml(valuesOf({ a: 'x'.repeat(5_000) }))).toThrow(RenderedTooLong);
  });

  it('throws TemplateSyntaxError if the source does not parse', () => {
    expect(() => TemplateBody.parse('<p>{{ 1 2 }}</p>')).toThrow(TemplateSyntaxError);
  });

  it('throws TemplateTooLarge if the source exceeds the limits, which do not count what the service adds', () => {
    const footer = { lines: [{ html: '<p>{{ unsubscribe_url }}</p>' }], unlessVariable: 'unsubscribe_url' };
    const largest = '{{ a }}'.repeat(500).padEnd(256 * 1024);
    expect(
      TemplateBody.parse(largest, footer)
        .renderHtml(valuesOf({ unsubscribe_url: 'u' }))
        .trimStart(),
    ).toBe('<p>u</p>');
    expect(() => TemplateBody.parse(`${largest}x`, footer)).toThrow(TemplateTooLarge);
  });
});
