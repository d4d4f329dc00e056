import { noMethodInCommon } from './login-methods.js';

it.each([
  [['SCRAM-SHA-256', 'PLAIN'], undefined],
  [
    ['SCRAM-SHA-256', 'SCRAM-SHA-1'],
    'no login method in common: the server offers SCRAM-SHA-256, SCRAM-SHA-1; this service uses PLAIN, LOGIN',
  ],
  [
    [],
    'no login method in common: the server offers none that is allowed on this connection; this service uses PLAIN, LOGIN',
  ],
])('of the methods %j, which a server offers, PLAIN and LOGIN can be used', (offered, message) => {
  expect(noMethodInCommon(offered, ['PLAIN', 'LOGIN'])).toBe(message);
});
