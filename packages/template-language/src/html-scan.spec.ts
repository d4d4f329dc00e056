import { imageAddresses, linkAddresses } from './html-scan.js';

describe('addresses in HTML', () => {
  const html = `<!-- <a href="https://no.example"><img src="https://no.example/1.gif"> -->
    <a class=x href="https://a.example/?a&amp;b">1</a><area href='https://b.example'><A HREF=https://c.example>2</A>
    <img alt="" src="https://a.example/1.gif"><IMG src='https://a.example/2.gif?a&#38;b'/><a name="top">3</a><img alt="">
    <script>"<a href='https://no.example'>"</script>`;

  it('are those of links, in their order, with character references resolved', () => {
    expect(linkAddresses(html)).toEqual(['https://a.example/?a&b', 'https://b.example', 'https://c.example']);
  });

  it('are those of pictures', () => {
    expect(imageAddresses(html)).toEqual(['https://a.example/1.gif', 'https://a.example/2.gif?a&b']);
  });

  it.each(['<a ', '<img ', 'https://', '<a href="', "<a href=' "])('are found in much of %j', (part) => {
    expect(linkAddresses(part.repeat(50_000)).length).toBeLessThanOrEqual(50_000);
    expect(imageAddresses(part.repeat(50_000))).toEqual([]);
  });
});
