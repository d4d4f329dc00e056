import { classifyRefusal } from './classify-refusal.js';
import type { ServerWords } from './refusal.js';
import { refusalSignature } from './refusal-text.js';

const causeOf = (text: string, refusal: Partial<ServerWords> = {}) => classifyRefusal({ text, ...refusal }).cause;

/** Replies to RCPT, and lines of reports, that say that there is no such mailbox, user or domain. */
const DEAD = [
  '550 5.1.1 <pat@acme.example>: Recipient address rejected: User unknown in virtual mailbox table',
  '550 5.1.1 <pat@acme.example>: Recipient address rejected: User unknown in relay recipient table',
  '550-5.1.1 The email account that you tried to reach does not exist. Please try double-checking 550-5.1.1 the address. Go to 550 5.1.1 https://support.google.com/mail/?p=NoSuchUser a1-b2 - gsmtp',
  '550 5.2.1 The email account that you tried to reach is disabled. Learn more at https://support.google.com/mail/?p=DisabledUser',
  "The response was: The recipient's address wasn't found. 550 5.0.0 Address not found",
  '550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB1PEPF0001.eurprd01.prod.outlook.com 2026-11-20]',
  '550 5.4.1 All recipient addresses rejected : Access denied',
  '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient pat@acme.example not found by SMTP address lookup',
  '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).',
  '550 5.4.310 DNS domain acme.example does not exist [Message=InfoDomainNonexistent]',
  "554 delivery error: dd This user doesn't have a yahoo.com account (pat@yahoo.com) [0] - mta1.mail.bf1.yahoo.com",
  '554 delivery error: dd Sorry your message cannot be delivered. This account has been disabled or discontinued [#102].',
  '550 5.1.6 recipient no longer on server: pat@icloud.com',
  '550 5.5.0 Adresse d au moins un destinataire invalide. Invalid recipient. OFR204_416 [416]',
  '550 5.5.0 Boite du destinataire archivee. Archived recipient. LPN007_420',
  '550 Requested action not taken: mailbox unavailable',
  '550 Message was not accepted -- invalid mailbox. Local mailbox pat@mail.ru is unavailable: user not found',
  '550 Mailbox not found. https://service.mail.qq.com/detail/122/169',
  'Sorry, no mailbox here by that name. (#5.1.1)',
  "Sorry, I couldn't find any host named acme.example. (#5.1.2)",
  '550 sorry, this recipient is not in my validrcptto list (#5.1.1)',
  '550 No Such User Here"',
  '550 Unrouteable address',
  'Host or domain name not found. Name service error for name=acme.example type=AAAA: Host not found',
  "5.1.0 - Unknown address error 550-'5.1.1 <pat@acme.example>: User unknown' (delivery attempts: 0)",
  "5.3.0 - Other mail system problem 550-'Unknown user pat@acme.example' (delivery attempts: 0)",
  'User Pat Meyer (pat@acme.example) not listed in Domino Directory',
  '553 5.3.0 <pat@acme.example>... User unknown, not local address',
  '550 permanent failure for one or more recipients (pat@acme.example:550 5.1.1 unknown user)',
  '550 5.1.1 <client@policy.example>: user sender@list.example unknown',
  '550 5.1.1 <relay-list>... User unknown',
  '550 Empfänger unbekannt',
  '550 Destinataire inconnu',
  '550 такого пользователя нет',
  '553 sorry, the domain acme.example does not exist',
  '553 5.1.2 Domain acme.example does not exist',
  'No mx record found for domain acme.example',
  '550 no mx record found for domain=acme.example',
  "DNS type 'mx' lookup of acme.example responded with code NOERROR, and had no relevant answers.",
  '556 Domain acme.example does not accept mail (nullMX)',
  '550 Host does not accept mail',
  '550 The domain acme.example has no SMTP service',
  'DNS lookup failure for acme.example: Host not found',
  '550 5.1.2 <pat@acme.example>... Host unknown (Name server: acme.example: host not found)',
  'User Pat Meyer (pat@acme.example) not listed in public Name & Address Book',
  'User pat (pat@acme.example) not uniquely listed in the Name and Address Book',
  "550-I'm sorry but pat@acme.example does not have an account here.",
  "550 'pat@acme.example' does not exist",
  '550 no mailbox for pat',
  '550 5.1.1 <pat@acme.example> recipient rejected',
  'mx.acme.example does not like recipient. Remote host said: 550 No such user here',
  '550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 : User unknown',
  '550 El usuario no existe',
  '550 5.1.1',
];

/** Refusals of someone or something else, with the cause. */
const OTHERS: readonly (readonly [string, string])[] = [
  ['550 Please turn on SMTP Authentication in your mail client.', 'sender'],
  ['550 relay not permitted', 'sender'],
  ['550 authentication required', 'sender'],
  ['550-Verification failed for <me@sender.example> 550-No Such User Here 550 Sender verify failed', 'sender'],
  ['550 5.1.0 <me@sender.example> sender rejected', 'sender'],
  ['550 5.1.0 <me@sender.example>: Sender address rejected: Domain not found', 'sender'],
  ['550 5.1.8 Access denied, bad outbound sender', 'sender'],
  ['554 5.7.1 <pat@acme.example>: Relay access denied', 'sender'],
  ['550 mwinf5c04 ME Adresse IP source bloquee pour incident de spam. Client host blocked. OFR006_102', 'sender'],
  ['550 5.1.1 Mail from 192.0.2.1 refused, listed at zen.spamhaus.org', 'sender'],
  ['550 rejected, see https://www.spamhaus.org/query/ip/192.0.2.1', 'sender'],
  ['550 5.7.1 IP address blacklisted by recipient', 'sender'],
  ['550 Reverse DNS lookup failed for host 192.0.2.1', 'sender'],
  ['550 5.7.26 unauthenticated: SPF [acme.example] with ip: did not pass', 'sender'],
  ["550 Sorry, that domain isn't in my list of allowed rcpthosts", 'sender'],
  ['550 Helo command rejected: Host not found', 'sender'],
  ['550 Requested action not taken: mailbox unavailable invalid DNS MX or A/AAAA resource record', 'sender'],
  ['550 Invalid SMTPAPI header', 'policy'],
  ['553 sorry, your mail was administratively denied. (#5.7.1)', 'policy'],
  ['550 Administrative prohibition', 'policy'],
  ['554 5.7.1 Message rejected as spam by Content Filtering', 'policy'],
  ['550 the group you tried to contact (team) may not exist, or you may not have permission to post', 'policy'],
  ['550 5.7.1 <pat@acme.example>: Recipient address rejected: Access denied', 'policy'],
  ['550 5.7.1 User unknown', 'policy'],
  ['550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents delivery.', 'rate'],
  ['550 5.4.5 Daily user sending limit exceeded', 'rate'],
  ['552 5.1.1 Boite du destinataire pleine. Recipient overquota. OFR_417 [417]', 'mailbox_full'],
  ['552 5.2.2 mailbox', 'mailbox_full'],
  ['552', 'mailbox_full'],
  ["550 5.1.1 The recipient's mailbox is full", 'mailbox_full'],
  ['550 Your account has been disabled', 'sender'],
  ['550 5.2.1 Mailbox disabled for outgoing mail', 'sender'],
  ['550 invalid IP address 192.0.2.1', 'sender'],
  ['550 No hostname for 192.0.2.1 found', 'sender'],
  ['550 Unknown user, please sign in', 'sender'],
  ['535 Unknown user', 'sender'],
  ['503 All recipients are invalid', 'sender'],
  ['550 invalid return address', 'sender'],
  ['550 messages from unknown addresses are refused', 'sender'],
  ['Reverse DNS lookup failure: host not found', 'sender'],
  ['550 Client DNS lookup failure: host not found', 'sender'],
  ['550 this host does not accept mail from dynamic addresses', 'sender'],
  ['550 DNS lookup failed for 192.0.2.1: host not found', 'sender'],
  ['550 账号不存在：策略', 'policy'],
  ['550 Avsändaren finns inte', 'sender'],
  ['550 no existe el usuario: lista', 'sender'],
  ['550 The user has disabled this service', 'unknown'],
  ['550 e-mail message has invalid structure', 'unknown'],
  ['550 Delivery to the recipient failed: unknown error', 'unknown'],
  ['host mx.acme.example[192.0.2.1] said: 550 Invalid request (in reply to RCPT TO command)', 'unknown'],
  ['mx.acme.example does not like recipient. Remote host said: 550 no', 'unknown'],
  ['554 5.5.1 Error: no valid recipients', 'unknown'],
  ['550 no email accepted', 'unknown'],
  ['501 Invalid domain name', 'unknown'],
  ['DNS lookup failure: Host not found, try again', 'temporary'],
  ['451 4.4.3 DNS lookup failure: host not found', 'temporary'],
  ['450 no mx record found for domain acme.example', 'temporary'],
  ['550 DNS lookup timed out: host not found', 'temporary'],
  ['User over quota. (#5.1.1)', 'mailbox_full'],
  ['450 4.1.1 <pat@acme.example>: Recipient address rejected: User unknown', 'temporary'],
  ['451 4.7.1 Please try again later', 'temporary'],
  ['550 5.4.7 not now', 'temporary'],
  ['Name service error for domain acme.example: Host not found, try again', 'temporary'],
  ['all hosts have been failing for a long time (and retry time not reached)', 'temporary'],
  ['550', 'unknown'],
  ['550 5.1.0 Address rejected.', 'unknown'],
  ['554 5.0.0 Service refused', 'unknown'],
  ['553 no', 'unknown'],
  ['', 'unknown'],
];

describe('classifyRefusal', () => {
  it.each(DEAD)('takes the address for dead after %j', (text) => {
    expect(causeOf(text)).toBe('dead_address');
  });

  it.each(OTHERS)('does not take the address for dead after %j, but %s', (text, cause) => {
    expect(causeOf(text)).toBe(cause);
  });

  const words = [
    ...[
      'sender rejected',
      'bad return-path',
      'invalid MAIL FROM',
      'expéditeur refusé',
      'client host refused',
      'HELO mismatch',
    ],
    ...[
      'your IP 192.0.2.1 is bad',
      'no reverse DNS',
      'no PTR record',
      'authentication required',
      'not logged in',
      'bad password',
    ],
    ...[
      'SPF fail',
      'DKIM signature invalid',
      'DMARC failed',
      'against our policy',
      'for policy reasons',
      'relaying denied',
    ],
    ...[
      'too many messages',
      'sending rate exceeded',
      'throttled',
      'on our block list',
      'blacklisted',
      'listed by dnsbl.example',
    ],
    ...['your account is closed', 'outgoing mail', 'sign in first', 'ACL denies', 'too often', 'message limit'],
    ...['avsändaren', 'lähettäjä', 'отправитель', '发件人', 'lista', 'política', 'Sperrliste', '政策', '認証'],
    ...['spam', 'temporarily deferred', 'over quota', 'not permitted', 'greylisted'],
  ];
  const dead = [
    '550 5.1.1 User unknown',
    '550 No such user here',
    '550 5.5.0 mailbox unavailable',
    '553 5.1.2',
    '550 5.2.1 disabled',
  ];
  it.each(words.flatMap((other) => dead.map((text) => [text, other] as const)))(
    'does not take the address for dead after %j together with %j, in any order and case',
    (text, other) => {
      const together = [`${text}: ${other}`, `${text} (${other.toUpperCase()})`, `550 ${other}: ${text.slice(4)}`];
      for (const each of together) {
        expect([each, causeOf(each)]).not.toEqual([each, 'dead_address']);
        expect([each, causeOf(each, { code: 550, enhanced: '5.1.1', status: '5.1.1' })]).not.toEqual([
          each,
          'dead_address',
        ]);
      }
    },
  );

  it.each<[Partial<ServerWords> & { text: string }, string]>([
    [{ text: '550 5.7.1 IP address blacklisted', status: '5.1.1' }, 'sender'],
    [{ text: '550 refused (#5.7.1)', status: '5.1.1' }, 'policy'],
    [{ text: '550 5.5.0 no', status: '5.1.1' }, 'dead_address'],
    [{ text: '', status: '5.1.1' }, 'dead_address'],
    [{ text: '', status: '5.0.0' }, 'unknown'],
    [{ text: '', status: '4.1.1' }, 'temporary'],
    [{ text: 'No such user', code: 450 }, 'temporary'],
    [{ text: 'No such user', code: 554, phase: 'message' }, 'dead_address'],
    [{ text: '550 5.1.1 User unknown', phase: 'mail' }, 'sender'],
    [{ text: '550 5.1.1 User unknown', phase: 'connection' }, 'sender'],
  ])(
    'reads the reply before the status of the report, and the command that was refused: %j is %s',
    (refusal, cause) => {
      expect(classifyRefusal(refusal).cause).toBe(cause);
    },
  );

  it.each([
    ["550 host said '5.1.1 User unknown'", '5.1.1', true],
    ['550 denied (#5.7.1)', '5.7.1', true],
    ['550 no', '550', true],
    ['450 4.2.0 no', '4.2.0', false],
    ['at 198.5.1.1', null, true],
  ])('finds the code in %j: %s', (text, code, isPermanent) => {
    expect(classifyRefusal({ text })).toMatchObject({ code, is_permanent: isPermanent });
  });

  it('returns the text in one line of at most 500 characters, with the words that decided', () => {
    expect(classifyRefusal({ text: ' 550\r\n5.1.1\0 User unknown ' }).reason).toBe('550 5.1.1 User unknown');
    const { reason } = classifyRefusal({ text: `550 ${'x'.repeat(3000)} no such user ${'y'.repeat(3000)}` });
    expect(reason).toMatch(/^550 x+ … x+ no such user y+$/);
    expect(reason.length).toBeLessThanOrEqual(500);
  });

  // It would not end before the limit of a test if the patterns were not linear, or if the whole text were read.
  it.each(['a@', '<', 'user ', '5.1.', 'a.', 'mailbox is ', 'https://', '550-', 'no such ', 'exceeded '])(
    'reads a hostile text of any length: %j, repeated',
    (part) => {
      expect(classifyRefusal({ text: part.repeat(200_000) }).reason.length).toBeLessThanOrEqual(500);
    },
  );
});

describe('refusalSignature', () => {
  it('is the same for refusals that differ in addresses, names, hosts and numbers', () => {
    const one = refusalSignature(
      '550 5.7.1 <pat@acme.example> pat refused by mx1.acme.example, id 7A8b',
      'pat@acme.example',
    );
    const other = refusalSignature(
      '550 5.7.1 <kim.lee@b.example> Kim refused by mx.b.example, id Q1z',
      'kim.lee@b.example',
    );
    expect(one).toBe('refused by id');
    expect(other).toBe(one);
    expect(refusalSignature('550 no such user', 'pat@acme.example')).not.toBe(one);
  });
});
