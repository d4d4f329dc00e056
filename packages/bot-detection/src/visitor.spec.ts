import { visitorOf } from './visitor.js';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
const botReason = (headers: Record<string, string>, method = 'GET') =>
  visitorOf({ method, headers: { 'user-agent': CHROME, ...headers } }).botReason;

describe('visitorOf', () => {
  it.each([
    [CHROME],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0'],
    ['Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/8.0; Microsoft Outlook 16.0.4266)'],
    ['Outlook-iOS/711.2619701.prod.iphone (4.28.0)'],
    ['Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'],
    ['YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html'],
    ['Mozilla/5.0 (Linux; Android 13; CUBOT X50) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile'],
    [''],
  ])('finds no bot reason for the user agent %j', (agent) => {
    expect(botReason({ 'user-agent': agent })).toBeUndefined();
  });

  it.each([
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'],
    ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    ['Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5'],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0 Safari/537.36'],
    ['Barracuda Sentinel (EE)'],
    ['curl/8.5.0'],
    ['python-requests/2.32.3'],
    ['Python-urllib/3.12'],
    ['Go-http-client/2.0'],
    ['Apache-HttpClient/4.5.14 (Java/17.0.9)'],
    ['Wget/1.21'],
  ])('recognises the bot %j', (agent) => {
    expect(botReason({ 'user-agent': agent })).toBe('agent');
  });

  it.each([
    ['purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['sec-purpose', 'prefetch;anonymous-client-ip'],
    ['x-purpose', 'preview'],
    ['x-moz', 'prefetch'],
  ])('recognises a prefetch by %s: %s', (name, value) => {
    expect(botReason({ [name]: value })).toBe('prefetch');
  });

  it('treats HEAD as a bot', () => {
    expect(botReason({}, 'HEAD')).toBe('head');
    expect(botReason({ 'sec-purpose': 'none' })).toBeUndefined();
  });

  it('shortens the user agent to 512 characters, and returns null if there is none', () => {
    expect(visitorOf({ method: 'GET', headers: { 'user-agent': 'x'.repeat(10_000) } }).user_agent).toHaveLength(512);
    expect(visitorOf({ method: 'GET', headers: {} }).user_agent).toBeNull();
  });
});
