/** Parts of the names of crawlers, link previews and mail scanners. Cubot is a brand of phones. */
const NAME_PARTS = [
  '(?<!cu)bot\\b',
  'crawl',
  'spider',
  'slurp',
  'preview',
  'scanner',
  'headless',
  'monitor',
  'facebookexternalhit',
  'whatsapp',
  'embedly',
  'virustotal',
  'barracuda',
  'mimecast',
  'proofpoint',
  'urldefense',
  'fireeye',
  'cloudmark',
  'symantec',
  'trend ?micro',
  'forcepoint',
  'bitdefender',
  'spamexperts',
];

/** The beginnings of the names of HTTP libraries and command-line clients. */
const PROGRAMS = [
  'curl',
  'wget',
  'python',
  'aiohttp',
  'ruby',
  'perl',
  'php',
  'guzzlehttp',
  'java',
  'okhttp',
  'apache-httpclient',
  'go-http-client',
  'libwww',
  'axios',
  'got',
  'node-fetch',
  'scrapy',
  'httpie',
  'postman',
];

const BOT = new RegExp(`${NAME_PARTS.join('|')}|^(${PROGRAMS.join('|')})`, 'i');

/**
 * Returns whether a `User-Agent` (RFC 9110, 10.1.5) names a program that is not used to read mail. General lists of bots do
 * not fit: they include mail clients, and the image proxies of Gmail and Yahoo.
 */
export const isKnownBot = (agent: string): boolean => BOT.test(agent);
