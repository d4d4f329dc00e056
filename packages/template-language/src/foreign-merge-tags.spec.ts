import { foreignMergeTags } from './foreign-merge-tags.js';

describe('foreignMergeTags', () => {
  it.each([
    '*|FNAME|*',
    '*|IF:FNAME|*',
    '*|LIST:COMPANY|*',
    '%FIRSTNAME%',
    '%first_name%',
    '%recipient.first_name%',
    '%%FirstName%%',
    '%First Name%',
    '[[name]]',
    '[[firstname]]',
    '[[data:firstname:"there"]]',
    '[[CUSTOM_FIELD_7]]',
    '[First Name]',
    '[FIRST_NAME]',
    '[First&nbsp;Name]',
    '[firstname,fallback=there]',
    '[Prénom]',
    '[Company]',
    '<<name>>',
    '<<First Name>>',
    '&lt;&lt;Custom Field&gt;&gt;',
    '«First Name»',
    '{first_name}',
    '{FIRST_NAME|there}',
    '{ firstName }',
    '{$name}',
    '${first_name}',
    '{!Contact.FirstName}',
    '{email}',
    '~Contact.FirstName~',
    '#FIRSTNAME#',
    '##first_name##',
  ])('finds %s between other text', (tag) => {
    expect(foreignMergeTags(`<p>Hello ${tag}, it is {{ company | default: "you" }}</p>`)).toEqual([tag]);
    expect(foreignMergeTags(tag)).toEqual([tag]);
  });

  it('returns each tag once', () => {
    expect(foreignMergeTags('*|FNAME|* *|LNAME|* *|FNAME|* [Name]')).toEqual(['*|FNAME|*', '*|LNAME|*', '[Name]']);
  });

  it.each([
    '{{ first_name }} {{first_name}} {{ name | default: "[x]" }}',
    '<a href="https://example.com/?q=caf%C3%A9%20noir%20%E2%82%AC&n=%A9tat%20">Up to 50%, or 20% off 100%</a>',
    'width:100%;height:50%',
    '5 %and 10% of it, 50%off%',
    '<!--[if mso]><v:rect><![endif]-->',
    '<style>a[name], *[title] {color:red} [name] {top:0} @media{.name{top:0}}</style>',
    '<p>[1] [sic] [link] [Unsubscribe] [Website] [here] [Name](https://example.com)</p>',
    '« Bonjour » et «merci»',
    '&lt;&lt; Back &gt;&gt; a << b >> c',
    '<script type="application/ld+json">{"name": "x"}</script>',
    '**|bold|** 3*|x| and |y|*',
    '#1 and #2, color:#fff;background:#000 #name',
    '~5~ ~about~ {a|b} {0} %s %d',
    '',
  ])('finds none in %j', (text) => {
    expect(foreignMergeTags(text)).toEqual([]);
  });

  it.each(['*|', '%a', '%%', '[[', '[', '{', '<<a', '&lt;&lt;', '«', '~', '#', '# ', '%a %'])(
    'reads 250,000 characters of %j without backtracking over all of them',
    (unit) => {
      expect(foreignMergeTags(unit.repeat(250_000 / unit.length))).toEqual([]);
    },
  );
});
