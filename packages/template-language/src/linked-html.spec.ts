import fc from 'fast-check';
import { finished } from '../../../test/support/finished.js';
import { TemplateBody, type HtmlAdditions, valuesOf } from './index.js';

/** Replaces each web address by `[number]`, except those that contain "keep", and records the addresses. */
class RecordedAdditions implements HtmlAdditions {
  readonly addresses: string[] = [];

  redirect(address: string, number: number): string | undefined {
    this.addresses.push(address);
    return address.includes('keep') ? undefined : `[${number}]`;
  }

  ending(): string {
    return '<end>';
  }
}

function rendered(source: string, values: object = {}) {
  const additions = new RecordedAdditions();
  const html = finished(TemplateBody.parse(source).render(valuesOf({ ...values }), additions)).html;
  return { html: html.replace('<end>', ''), addresses: additions.addresses, end: html.indexOf('<end>') };
}

describe('the links of a body', () => {
  it.each([
    ['<a href="https://a.test">x</a>', '<a href="[1]">x</a>'],
    ["<a class=b href='HTTP://a.test'>x</a>", "<a class=b href='[1]'>x</a>"],
    ['<a href=https://a.test>x</a>', '<a href=[1]>x</a>'],
    ['<a href=https://a.test/>x</a>', '<a href=[1]>x</a>'],
    ['<A\n\tHREF = "https://a.test"\n>x</A>', '<A\n\tHREF = "[1]"\n>x</A>'],
    ['<a title="a > b" href="https://a.test">x</a>', '<a title="a > b" href="[1]">x</a>'],
    [
      '<a title=\'href="https://b.test"\' href="https://a.test">x</a>',
      '<a title=\'href="https://b.test"\' href="[1]">x</a>',
    ],
    ['<a href=" https://a.test ">x</a>', '<a href="[1]">x</a>'],
    ['<a href="&#104;ttps&colon;//a.test">x</a>', '<a href="[1]">x</a>'],
    ['<map><area shape="rect" href="https://a.test"/></map>', '<map><area shape="rect" href="[1]"/></map>'],
    [
      '<a href="https://a.test"><img src="https://b.test/i.png"></a>',
      '<a href="[1]"><img src="https://b.test/i.png"></a>',
    ],
    ['<a href="https://a.test">1</a><a href="https://a.test">2</a>', '<a href="[1]">1</a><a href="[2]">2</a>'],
    ['<a href="https://a.test" href="https://b.test">x</a>', '<a href="[1]" href="https://b.test">x</a>'],
    [
      '<!--[if !mso]><!--><a href="https://a.test">x</a><!--<![endif]-->',
      '<!--[if !mso]><!--><a href="[1]">x</a><!--<![endif]-->',
    ],
    ['</body><a href="https://a.test">x</a>', '</body><a href="[1]">x</a>'],
  ])('replaces the addresses of %s', (source, expected) => {
    expect(rendered(source).html).toBe(expected);
  });

  it.each([
    '<a href="mailto:ada@a.test">x</a><a href="tel:+331">x</a><a href="#top">x</a><a href="/path">x</a><a href="//a.test">x</a>',
    '<a href="javascript:https://a.test">x</a><a href="data:,https://a.test">x</a><a href="">x</a><a href>x</a><a>x</a>',
    '<a data-href="https://a.test" xhref="https://a.test">https://a.test</a>',
    '<link href="https://a.test"><base href="https://a.test"><abbr href="https://a.test"><form action="https://a.test">',
    '<!-- <a href="https://a.test">x</a> -->',
    '<!--[if mso]><v:rect href="https://a.test"><a href="https://a.test">x</a></v:rect><![endif]-->',
    '<style>a[href="https://a.test"]{}</style><script>"<a href=\'https://a.test\'>"</script>',
    '<title><a href="https://a.test"></title><textarea><a href="https://a.test"></textarea>',
    '<p title=\'<a href="https://a.test">\'>x</p>',
    '<a href="https://a.test',
    '<a href="https://keep.test/?a=1&amp;b=2&copy=3">x</a>',
  ])('leaves %s unchanged', (source) => {
    expect(rendered(source).html).toBe(source);
  });

  it('passes the address to redirect with character references resolved', () => {
    const source = '<a href="https://a.test/?a=1&amp;b=2&c=3&eacute;&#233;&#xE9;&copy=4">x</a>';
    expect(rendered(source).addresses).toEqual(['https://a.test/?a=1&b=2&c=3ééé&copy=4']);
  });

  it('passes the rendered address unescaped, and renders a link that is not redirected as without additions', () => {
    const source =
      '<a href="https://a.test/?q={{ q }}&amp;x={{ x | default: "&amp;" }}">{{ q }}</a><a href="{{ url }}">x</a>' +
      '<a href=\'{{url}}/keep\'>x</a><a href="{{ none }}">x</a>';
    const values = { q: `"a" & 'b'`, url: 'https://b.test/?a=1&b=2' };
    const { html, addresses } = rendered(source, values);
    expect(addresses).toEqual([
      `https://a.test/?q="a" & 'b'&x=&amp;`,
      'https://b.test/?a=1&b=2',
      'https://b.test/?a=1&b=2/keep',
      '',
    ]);
    expect(html).toBe(
      '<a href="[1]">&quot;a&quot; &amp; &#39;b&#39;</a><a href="[2]">x</a>' +
        '<a href=\'https://b.test/?a=1&amp;b=2/keep\'>x</a><a href="[4]">x</a>',
    );
  });

  it('escapes the replacement', () => {
    const additions = { redirect: () => 'https://b.test/?a&"', ending: () => '' };
    const html = finished(TemplateBody.parse('<a href="https://a.test">x</a>').render(valuesOf({}), additions)).html;
    expect(html).toBe('<a href="https://b.test/?a&amp;&quot;">x</a>');
  });

  it('leaves every other byte of any body unchanged', () => {
    const tokens = [
      '<a',
      ' href=',
      '"',
      "'",
      'https://a.test',
      '>',
      '</a>',
      '<!--',
      '-->',
      '<style>',
      '</style>',
      '&amp;',
      ' ',
      '{{ v }}',
      '</body>',
      'é😀',
      '<',
      '/',
      '=',
    ];
    const bodies = fc.array(fc.constantFrom(...tokens), { maxLength: 40 }).map((chosen) => chosen.join(''));
    const nothing = { redirect: () => undefined, ending: () => '' };
    fc.assert(
      fc.property(bodies, (source) => {
        const body = TemplateBody.parse(source);
        expect(finished(body.render(valuesOf({ v: '<v>' }), nothing)).html).toBe(
          body.renderHtml(valuesOf({ v: '<v>' })),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('replaces at most 500 links and leaves those after them unchanged', () => {
    const { html, addresses } = rendered('<a href="https://a.test">x</a>'.repeat(501));
    expect([addresses.length, html.endsWith('<a href="https://a.test">x</a>')]).toEqual([500, true]);
  });
});

describe('the end of a body', () => {
  it.each([
    ['<html><body><p>x</p>|</body></html>'],
    ['<BODY>İ</BODY><!-- </body> -->'.replace('</BODY>', '|</BODY>')],
    ['<body></body>|</body >\n'],
    ['<p>x</p>|'],
    ['<p>x</p><!-- </body> -->|'],
    ['<style>"</body>"</style>|'],
    ['|'],
  ])('is at the bar in %s', (withBar) => {
    expect(rendered(withBar.replace('|', '')).end).toBe(withBar.indexOf('|'));
  });
});
