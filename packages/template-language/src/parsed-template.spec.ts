import fc from 'fast-check';
import { parseTemplate, RenderedTooLong, tokenSource, valuesOf } from './index.js';

type Values = Readonly<Record<string, unknown>>;

const read = (values: Values) => valuesOf(values, { defaultGroup: 'custom_fields' });
const html = (source: string, values: Values): string => parseTemplate(source).renderHtml(read(values));
const subject = (source: string, values: Values): string => parseTemplate(source).renderSubject(read(values));

const anyText = fc.string({ unit: 'binary' });
const literalText = anyText.filter((text) => !text.includes('{'));

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

function quoted(text: string, quote: string): string {
  return quote + text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}

describe('the value of a variable', () => {
  const contact = {
    first_name: 'Ada',
    company: null,
    custom_fields: { city: 'Lyon', first_name: 'shadowed', company: 'shadowed', 'plan-2': 'gold' },
    unsubscribe_url: 'https://mail.example.com/u/1?a=1&b=2',
    sender: { name: 'Bob', email: 'bob@example.com' },
  };

  it.each([
    ['{{ first_name }}', 'Ada'],
    ['{{ city }}', 'Lyon'],
    ['{{ plan-2 }}', 'gold'],
    ['{{ custom_fields.city }}', 'Lyon'],
    ['{{ custom_fields.first_name }}', 'shadowed'],
    ['{{ company }}', ''],
    ['{{ sender.name }} <{{ sender.email }}>', 'Bob <bob@example.com>'],
    ['{{ sender }}{{ custom_fields }}{{ name }}{{ sender.phone }}{{ nowhere.name }}{{ first_name.length }}', ''],
    ['<a href="{{ unsubscribe_url }}">', '<a href="https://mail.example.com/u/1?a=1&amp;b=2">'],
  ])('renders %j', (source, expected) => {
    expect(html(source, contact)).toBe(expected);
  });

  it('takes a key that contains the dot before a nested record, because preview variables have such keys', () => {
    expect(html('{{ sender.name }}', { 'sender.name': 'Eve', sender: { name: 'Bob' } })).toBe('Eve');
  });

  it.each([
    [0, '0'],
    [-1.5, '-1.5'],
    [12n, '12'],
    [true, 'true'],
    [false, 'false'],
    [new Date('2026-11-21T08:30:00Z'), '2026-11-21T08:30:00.000Z'],
    ['', 'none'],
    [null, 'none'],
    [undefined, 'none'],
    [Number.NaN, 'none'],
    [new Date(Number.NaN), 'none'],
    [{ toString: () => 'text' }, 'none'],
    [['a'], 'none'],
    [() => 'text', 'none'],
  ])('renders %p as %j', (value, expected) => {
    expect(html('{{ v | default: "none" }}', { v: value })).toBe(expected);
    expect(subject('{{ v | default: "none" }}', { v: value })).toBe(expected);
  });

  it('is empty if the property is inherited and not set', () => {
    const names = [
      'constructor',
      '__proto__',
      'prototype',
      'toString',
      'hasOwnProperty',
      'sender.constructor',
      'tags.length',
    ];
    const values = { sender: {}, custom_fields: {}, tags: ['a'] };
    for (const name of names) expect(html(`[{{ ${name} }}]`, values)).toBe('[]');
    expect(html('[{{ name }}]', Object.create({ name: 'inherited' }) as Values)).toBe('[]');
    expect(html('{{ name }}', Object.assign(Object.create(null) as object, { name: 'Ada' }))).toBe('Ada');
  });
});

describe('the default of a variable', () => {
  it.each([
    ['{{ a | default: "there" }}', 'there'],
    ["{{ a | default: 'there' }}", 'there'],
    ['{{ a | default: "" }}', ''],
    [String.raw`{{ a | default: "say \"hi\" \\ C:\dir" }}`, String.raw`say "hi" \ C:\dir`],
    [String.raw`{{ a | default: 'l\'équipe }}' }}`, "l'équipe }}"],
    ['{{ a | default: "one\ntwo" }}', 'onetwo'],
  ])('in %j replaces an absent and an empty value', (source, expected) => {
    expect(subject(source, {})).toBe(expected);
    expect(subject(source, { a: '' })).toBe(expected);
    expect(subject(source, { a: 'set' })).toBe('set');
  });

  it('is escaped in the body', () => {
    expect(html(`{{ a | default: "<b>l'équipe</b>" }}`, {})).toBe('&lt;b&gt;l&#39;équipe&lt;/b&gt;');
  });

  it('is rendered as it was written, in single and in double quotes', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('"', "'"), (text, quote) => {
        expect(unescape(html(`{{ a | default: ${quoted(text, quote)} }}`, {}))).toBe(text);
      }),
    );
  });
});

describe('a variable with `| url`', () => {
  const source = '<a href="https://example.com/?q={{ company | default: "no one" | url }}&x=1">{{ company }}</a>';

  it.each([
    ['Smith & Söhne', 'Smith%20%26%20S%C3%B6hne', 'Smith &amp; Söhne'],
    ["a+b=c/d?e#f%20'(!)*", 'a%2Bb%3Dc%2Fd%3Fe%23f%2520%27%28%21%29%2A', 'a+b=c/d?e#f%20&#39;(!)*'],
    ['\ud83d', '%EF%BF%BD', '\ud83d'],
    ['line\r\nbreak', 'line%0D%0Abreak', 'line\r\nbreak'],
    ['', 'no%20one', ''],
  ])('is %j percent-encoded as %s, and the others are not', (company, encoded, shown) => {
    expect(html(source, { company })).toBe(`<a href="https://example.com/?q=${encoded}&x=1">${shown}</a>`);
  });

  it('is encoded in a subject and in plain text too, whichever filter is first', () => {
    const filters = '{{ name | url | default: "a b" }}';
    expect(subject(filters, { name: 'R&D' })).toBe('R%26D');
    expect(parseTemplate(filters).renderText(valuesOf({}))).toBe('a%20b');
  });

  it('has no format of its own', () => {
    const formats = new Map([['logo', () => '<img>']]);
    const values = valuesOf({ logo: 'A & B' }, { formats });
    expect(parseTemplate('{{ logo | url }} {{ logo }}').renderHtml(values)).toBe('A%20%26%20B <img>');
  });

  it('keeps its filters in its source', () => {
    const tokens = parseTemplate(`{{a|url}} {{ a }} {{ a | url | default: 'x"' }}`).tokens;
    expect(tokens.map(tokenSource).join('')).toBe('{{ a | url }} {{ a }} {{ a | default: "x\\"" | url }}');
  });
});

describe('rendering a template', () => {
  it('leaves every byte around variables unchanged', () => {
    fc.assert(
      fc.property(literalText, literalText, literalText, (before, between, after) => {
        const template = parseTemplate(`${before}{{ a }}${between}{{ b }}${after}`);
        expect(template.renderHtml(valuesOf({ a: '1', b: '2' }))).toBe(`${before}1${between}2${after}`);
        expect(template.renderSubject(valuesOf({ a: '1', b: '2' }))).toBe(`${before}1${between}2${after}`);
      }),
    );
  });

  it('renders a text without "{{" to itself', () => {
    const texts = fc
      .array(fc.oneof(anyText, fc.constantFrom('{', '}', '}}', '{ {', '|', '"')))
      .map((parts) => parts.join(''))
      .filter((text) => !text.includes('{{'));
    fc.assert(
      fc.property(texts, (text) => {
        expect(html(text, {})).toBe(text);
        expect(subject(text, {})).toBe(text);
      }),
    );
  });

  it('escapes the markup of values in the body and loses none of their text', () => {
    const hostile = fc.array(
      fc.oneof(anyText, fc.constantFrom('<', '>', '"', "'", '&', '&lt;', '<script>', '{{ b }}')),
    );
    fc.assert(
      fc.property(hostile, (parts) => {
        const value = parts.join('');
        const rendered = html('{{ a }}', { a: value, b: 'parsed again' });
        expect(rendered).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
        expect(unescape(rendered)).toBe(value);
      }),
    );
  });

  it('removes line breaks from values in the subject and does not escape them', () => {
    expect(subject('Re: {{ a }}', { a: 'R&D <Lyon>\r\nBcc: eve@example.com\u2028\u0085\t\u0000.' })).toBe(
      'Re: R&D <Lyon>Bcc: eve@example.com.',
    );
  });

  it('throws RenderedTooLong if the result is longer than a megabyte', () => {
    const values = { a: '&'.repeat(5_000) };
    const variables = Math.floor((1024 * 1024) / 5_000);
    const template = parseTemplate('{{ a }}'.repeat(variables));
    expect(template.renderText(valuesOf(values))).toHaveLength(variables * 5_000);
    expect(() => template.renderHtml(valuesOf(values))).toThrow(RenderedTooLong);
    expect(() => parseTemplate('{{ a }}'.repeat(variables + 1)).renderSubject(valuesOf(values))).toThrow(
      RenderedTooLong,
    );
  });

  it('has no state: the same template renders other values afterwards', () => {
    const template = parseTemplate('{{ a }}');
    expect([
      template.renderHtml(valuesOf({ a: '1' })),
      template.renderHtml(valuesOf({ a: '2' })),
      template.renderHtml(valuesOf({})),
    ]).toEqual(['1', '2', '']);
  });
});
