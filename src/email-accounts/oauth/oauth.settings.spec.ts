import { oauthSettings, parseMailHosts, parseOrigins } from './oauth.settings.js';

describe('the mail hosts of a provider', () => {
  it('are a server for SMTP and one for IMAP, each with its port', () => {
    expect(parseMailHosts(' smtp.gmail.com:465 , imap.gmail.com:993 ')).toEqual({
      smtp: { host: 'smtp.gmail.com', port: 465 },
      imap: { host: 'imap.gmail.com', port: 993 },
    });
    expect(parseMailHosts('127.0.0.1:1,[::1]:65535')).toEqual({
      smtp: { host: '127.0.0.1', port: 1 },
      imap: { host: '::1', port: 65_535 },
    });
  });

  it.each([
    '',
    'smtp.gmail.com:465',
    'smtp.gmail.com,imap.gmail.com:993',
    'smtp.gmail.com:0,imap.gmail.com:993',
    'smtp.gmail.com:65536,imap.gmail.com:993',
    'smtp.gmail.com:x,imap.gmail.com:993',
    'smtp://smtp.gmail.com:465,imap.gmail.com:993',
    '-a.example:465,imap.gmail.com:993',
    '[127.0.0.1]:465,imap.gmail.com:993',
    '::1:465,imap.gmail.com:993',
    'a.example:1,b.example:2,c.example:3',
  ])('%p stops the start', (text) => {
    expect(() => parseMailHosts(text)).toThrow('must be two mail servers');
  });

  it('are by default those of the providers', () => {
    expect(oauthSettings.MICROSOFT_MAIL_HOSTS.fallback).toEqual({
      smtp: { host: 'smtp.office365.com', port: 587 },
      imap: { host: 'outlook.office365.com', port: 993 },
    });
  });
});

describe('OAUTH_REDIRECT_ORIGINS', () => {
  it('are origins, with the default port left out', () => {
    expect(parseOrigins('https://App.example.com:443, http://localhost:5173/,')).toEqual([
      'https://app.example.com',
      'http://localhost:5173',
    ]);
  });

  it.each([
    'app.example.com',
    'https://app.example.com/path',
    'https://*.example.com/?a',
    'ftp://a.example',
    'https://u@a.example',
  ])('%p stops the start', (text) => {
    expect(() => parseOrigins(text)).toThrow('is not an origin');
  });
});
