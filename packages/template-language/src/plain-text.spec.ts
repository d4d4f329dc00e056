import { toPlainText } from './index.js';

describe('toPlainText', () => {
  it('prints one paragraph per line, however long', () => {
    const long = 'mot '.repeat(60).trim();
    expect(toPlainText(`<h1>Élan</h1><p>Bonjour Léa,</p><p>${long}<br>À bientôt</p>`)).toBe(
      `Élan\n\nBonjour Léa,\n\n${long}\nÀ bientôt`,
    );
  });

  it('prints a link with its address, and only once if both are equal', () => {
    const body =
      '<p><a href="https://acme.test/?a=1&amp;b=2">Acme</a>, <a href="https://acme.test">https://acme.test</a>, ' +
      '<a href="mailto:ada@acme.test">ada@acme.test</a>, <a href="#top">up</a></p>';
    expect(toPlainText(body)).toBe('Acme <https://acme.test/?a=1&b=2>, https://acme.test, ada@acme.test, up');
  });

  it('omits images and hidden elements, and prints the address of a linked image', () => {
    const body = `<html><head><title>T</title><style>p{}</style></head><body>
      <div style="DISPLAY:none">preview</div><span style="color:red; display: none">x</span><p hidden>x</p>
      <!--[if mso]><p>x</p><![endif]--><img src="a.png" alt="logo"><a href="https://acme.test"><img src="b.png"></a>
      <script>x</script></body></html>`;
    expect(toPlainText(body)).toBe('https://acme.test');
    expect(toPlainText('<title>T</title><p>body</p>')).toBe('body');
  });

  it('prints list markers and quotation marks', () => {
    expect(toPlainText('<ul><li>un<li>deux</ul><ol><li>a</ol><blockquote>cité</blockquote>')).toBe(
      ' * un\n * deux\n\n 1. a\n\n> cité',
    );
  });

  it('aligns the columns of a data table', () => {
    const body = `<p>Prices</p><table><caption>2026</caption><thead><tr><th>Plan</th><th>Price</th><th>Note</th></tr></thead>
      <tbody><tr><td>Solo</td><td>10 €</td><td><p>one</p><p>two</p></td></tr>
      <tr><td>Team</td><td>${'x'.repeat(50)}</td><td>-</td></tr></tbody>
      <tfoot><tr><td colspan="2">Total</td><td>110 €</td></tr></tfoot></table>`;
    expect(toPlainText(body).split('\n')).toEqual([
      'Prices',
      '',
      '2026',
      '',
      'Plan    Price   Note',
      'Solo    10 €    one two',
      `Team    ${'x'.repeat(50)}   -`,
      'Total           110 €',
    ]);
  });

  it('prints the cells of a layout table row on one line and omits spacers', () => {
    const body = `<table role="presentation"><tr><td><table><tr><td>&nbsp;</td></tr><tr><td><p>Hello</p></td></tr>
      <tr><td>Name</td><td>Value</td></tr></table></td></tr><tr><td style="height:20px">&nbsp;</td></tr>
      <tr><td><a href="https://b.test">Book</a></td></tr></table>`;
    expect(toPlainText(body)).toBe('Hello\n\nName Value\n\nBook <https://b.test>');
  });

  it.each([
    ['a table inside', '<table><tr><th><table><tr><td>one</td></tr></table></th><td>two</td></tr></table>'],
    ['no ordinary cells', '<table><tr><th><p>one</p></th><th><p>two</p></th></tr></table>'],
    ['the role of a layout', '<table role="none"><tr><th><p>one</p></th><td><p>two</p></td></tr></table>'],
  ])('treats a table with %s as a layout', (_what, body) => {
    expect(toPlainText(body)).toMatch(/^one\n+two$/);
  });

  it('limits colspan and ignores rowspan', () => {
    const body =
      '<table><tr><th>a</th><td colspan="99999999" rowspan="99999999">b</td><td colspan="-1">c</td></tr></table>';
    expect(toPlainText(body)).toMatch(/^a {3}b {2,100}c$/);
  });

  it.each(['<div>', '<b>', '<table><tr><td>', '<ul><li>', '<blockquote>', '<a href="https://b.test">'])(
    'converts a body with thousands of unclosed %s',
    (tags) => {
      expect(toPlainText(`<p>before</p>${tags.repeat(500_000 / tags.length)}`)).toMatch(/^before/);
    },
  );

  it('omits everything after 10,000 elements, including those of a single end tag', () => {
    const text = toPlainText(`${'<i>x</i>'.repeat(9_998)}</br>shown<p>left out</p>`);
    expect(text.endsWith('shown')).toBe(false);
    expect(toPlainText(`${'<i>x</i>'.repeat(9_998)}</br><i>shown</i><p>left out</p>`).endsWith('shown')).toBe(true);
  });
});
