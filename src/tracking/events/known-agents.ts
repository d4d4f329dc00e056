/** Crawlers, previews in messengers, scanners of mail: by words in their names. A Cubot is a telephone. */
const WORDS = [
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

/** Programs that fetch, by how they begin to name themselves. */
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

const MACHINE = new RegExp(`${WORDS.join('|')}|^(${PROGRAMS.join('|')})`, 'i');

/**
 * Whether a `User-Agent` (RFC 9110, 10.1.5) names a machine with which nobody reads mail. General lists of robots do not
 * fit: they count all that is no browser, so mail programs and the proxies through which Gmail and Yahoo show pictures.
 */
export const isKnownMachine = (agent: string): boolean => MACHINE.test(agent);
