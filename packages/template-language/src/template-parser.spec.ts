import fc from 'fast-check';
import {
  assertStorable,
  parseTemplate,
  TemplateSyntaxError,
  TemplateTooLarge,
  variableNames,
  valuesOf,
} from './index.js';

function syntaxErrorOf(source: string): TemplateSyntaxError {
  try {
    parseTemplate(source);
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return error;
    throw error;
  }
  throw new Error(`parsed: ${source}`);
}

describe('parseTemplate', () => {
  it.each([
    ['{{first_name}}', ['first_name']],
    ['{{ first_name }}', ['first_name']],
    ['{{\n\tfirst_name\u00a0}}', ['first_name']],
    ['{{ sender.name }} {{ sender.email }}', ['sender.name', 'sender.email']],
    ['{{ custom_fields.Plan-2 }}', ['custom_fields.Plan-2']],
    ['{{ 1_2-3 }}', ['1_2-3']],
    [`{{ ${'k'.repeat(64)} }}`, ['k'.repeat(64)]],
    ['{{ city|default:"x" }}', ['city']],
    ["{{ city | default : 'x' }}", ['city']],
    ['{{ default | default: "}}" }}', ['default']],
    ['{{ url|url }}', ['url']],
    ['{{ city | default: "x" | url }} {{ company | url | default: "y" }}', ['city', 'company']],
  ])('parses %j', (source, variables) => {
    expect(parseTemplate(source).variables).toEqual(variables);
  });

  it('lists each variable once, in order of appearance, including built-in ones', () => {
    const source = '{{ b }} {{ unsubscribe_url }} {{ a | default: "x" }} {{ b | default: "y" }} {{ sender.name }}';
    expect(parseTemplate(source).variables).toEqual(['b', 'unsubscribe_url', 'a', 'sender.name']);
  });

  it.each([
    '<style>@media (max-width: 600px){.a{color:red}}</style>',
    '{ first_name }',
    '{ { first_name } }',
    'closing only }}',
    '{"json":{"nested":{}}}',
    'ends with {',
    '',
  ])('treats %j as plain text', (source) => {
    const template = parseTemplate(source);
    expect(template.variables).toEqual([]);
    expect(template.renderHtml(valuesOf({ first_name: 'Ada' }))).toBe(source);
  });

  it.each([
    ['{{', 'a name of 1 to 64 letters, digits, "_" or "-" is expected, found the end of the text'],
    ['{{ }}', 'a name of 1 to 64 letters, digits, "_" or "-" is expected, found "}}"'],
    ['{{{ name }}}', 'a name of 1 to 64 letters, digits, "_" or "-" is expected, found "{ name }}}"'],
    ['{{ prénom }}', '"}}" is expected after the name, found "énom }}"'],
    ['{{ first name }}', '"}}" is expected after the name, found "name }}"'],
    ['{{ first_name }', '"}}" is expected after the name, found "}"'],
    ['{{ first_name', '"}}" is expected after the name, found the end of the text'],
    ['{{ first_name {{ city }}', '"}}" is expected after the name, found "{{ city }}"'],
    ['{{ sender. }}', 'a name of 1 to 64 letters, digits, "_" or "-" is expected, found " }}"'],
    ['{{ a.b.c }}', '"}}" is expected after the name, found ".c }}"'],
    ['{{ a | upper }}', 'only "default" and "url" can follow "|", each once, found "upper }}"'],
    ['{{ a | }}', 'only "default" and "url" can follow "|", each once, found "}}"'],
    ['{{ a | defaults: "x" }}', 'only "default" and "url" can follow "|", each once, found "defaults: \\"x\\" }}"'],
    ['{{ a | default "x" }}', '":" is expected after "default", found "\\"x\\" }}"'],
    ['{{ a | default: x }}', 'the default must be in straight quotes, found "x }}"'],
    ['{{ a | default: “x” }}', 'the default must be in straight quotes, found "“x” }}"'],
    ['{{ a | default: "x }}', 'the closing " of the default is missing, found the end of the text'],
    ["{{ a | default: 'x\\", "the closing ' of the default is missing, found the end of the text"],
    ['{{ a | default: "x\\" }}', 'the closing " of the default is missing, found the end of the text'],
    [
      '{{ a | default: "x" | default: "y" }}',
      'only "default" and "url" can follow "|", each once, found "default: \\"y\\" }}"',
    ],
    ['{{ a | url | url }}', 'only "default" and "url" can follow "|", each once, found "url }}"'],
    ['{{ a | url: "x" }}', '"}}" is expected after the url, found ": \\"x\\" }}"'],
  ])('rejects %j', (source, reason) => {
    expect(syntaxErrorOf(source)).toMatchObject({ line: 1, column: 1, reason });
  });

  it('reads a quoted default at once, however many backslashes it has', () => {
    const startsWith = jest.spyOn(String.prototype, 'startsWith');
    const comparisonsOf = (text: string): number => {
      startsWith.mockClear();
      expect(parseTemplate(`{{ a | default: "${text}" }}`).renderText(valuesOf({}))).toBe(text.replaceAll('\\"', '"'));
      return startsWith.mock.calls.length;
    };
    const comparisons = ['none', '\\"'.repeat(1_000)].map(comparisonsOf);
    startsWith.mockRestore();
    expect(comparisons[1]).toBe(comparisons[0]);
  });

  it.each([
    [String.raw`"\"\\\'"`, String.raw`"\'`],
    [String.raw`'\'\\\n\"'`, String.raw`'\\n"`],
    [String.raw`"it's C:\dir\\"`, `it's C:\\dir\\`],
    [String.raw`"\\\\"`, String.raw`\\`],
    [String.raw`'\😀 }}'`, String.raw`\😀 }}`],
  ])('reads the quoted default %s as %s', (quoted, text) => {
    expect(parseTemplate(`{{ a | default: ${quoted} }}`).renderText(valuesOf({}))).toBe(text);
  });

  it('rejects a key of more than 64 characters', () => {
    const error = syntaxErrorOf(`{{ ${'k'.repeat(65)} }}`);
    expect(error.reason).toBe(`a name of 1 to 64 letters, digits, "_" or "-" is expected, found "${'k'.repeat(24)}"`);
  });

  it('reports line and column of the invalid variable for all kinds of line breaks', () => {
    expect(syntaxErrorOf('{{ ok }}\r\na\rb\nÉ😀 {{\n\nfirst name }}')).toMatchObject({ line: 4, column: 4 });
    expect(syntaxErrorOf('one\ntwo {{ }}').message).toMatch(/^line 2, column 5: a name/);
  });

  it.each(['{{', '{{ ', '{{ a', '{{a|default:"\\"', '{{ a | '])(
    'rejects 250,000 characters of %j without backtracking',
    (unit) => {
      expect(syntaxErrorOf(unit.repeat(250_000 / unit.length)).line).toBe(1);
    },
  );

  it('either parses a source or reports line and column of one of its "{{"', () => {
    const tokens = [
      '{{',
      '}}',
      '{',
      '}',
      '|',
      'default',
      ':',
      '"',
      "'",
      '\\',
      'a',
      'sender.name',
      '.',
      ' ',
      '\n',
      '\r',
      '😀',
    ];
    const sources = fc.array(fc.constantFrom(...tokens), { maxLength: 30 }).map((chosen) => chosen.join(''));
    fc.assert(
      fc.property(sources, (source) => {
        try {
          parseTemplate(source);
        } catch (error) {
          expect(error).toBeInstanceOf(TemplateSyntaxError);
          const { line, column } = error as TemplateSyntaxError;
          const characters = Array.from(source.split(/\r\n|\r|\n/)[line - 1] ?? '');
          expect(characters.slice(column - 1, column + 1).join('')).toBe('{{');
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the limits of a template', () => {
  const tooMany = Array.from({ length: 501 }, (_, index) => `{{ v${index} }}`).join('');

  it('are 500 variables, each occurrence counted, and 256 KB in UTF-8', () => {
    expect(parseTemplate('{{ a }}'.repeat(500)).variables).toEqual(['a']);
    expect(() => parseTemplate('{{ a }}'.repeat(501))).toThrow(TemplateTooLarge);
    expect(parseTemplate('é'.repeat(128 * 1024)).variables).toEqual([]);
    expect(() => parseTemplate(`${'é'.repeat(128 * 1024)}x`)).toThrow(TemplateTooLarge);
  });

  it('limit the names that are read from a template that was stored before', () => {
    expect(variableNames(tooMany.repeat(100)).at(-1)).toBe('v499');
    expect(variableNames(' '.repeat(1024 * 1024) + '{{ a }}')).toEqual(['a']);
  });
});

describe('assertStorable', () => {
  it('refuses tags, and says where they are', () => {
    expect(() => assertStorable('<p>{{ a }}</p>\n <b>{% if a %}')).toThrow('line 2, column 5: "{%" is not supported');
    expect(() => assertStorable('<style>p { width: 5% } a{%b')).toThrow(TemplateSyntaxError);
    expect(() => assertStorable('<style>p { width: 5%}</style> { % }')).not.toThrow();
  });
});
