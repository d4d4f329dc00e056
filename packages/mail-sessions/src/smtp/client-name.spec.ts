import { clientName } from './client-name.js';

it.each([
  ['https://outreach.example.com', '10.0.0.5', 'outreach.example.com'],
  ['https://outreach.example.com:8443/mail', '127.0.0.1', 'outreach.example.com'],
  ['https://OUTREACH.münchen.example./', undefined, 'outreach.xn--mnchen-3ya.example'],
  ['http://outreach.internal', '127.0.0.1', 'outreach.internal'],
  ['http://203.0.113.7:3000', '10.0.0.5', '[203.0.113.7]'],
  ['http://[2001:db8::7]:3000', '10.0.0.5', '[IPv6:2001:db8::7]'],
  ['http://localhost:3000', '10.0.0.5', '[10.0.0.5]'],
  ['http://outreach.localhost', '10.0.0.5', '[10.0.0.5]'],
  ['http://outreach:3000', '::ffff:10.0.0.5', '[10.0.0.5]'],
  ['http://127.0.0.1:3000', '2001:db8::8', '[IPv6:2001:db8::8]'],
  ['http://[::1]:3000', 'fe80::1%eth0', 'localhost.localdomain'],
  ['http://localhost:3000', '127.0.0.1', 'localhost.localdomain'],
  ['http://0.0.0.0:3000', '::ffff:127.0.0.1', 'localhost.localdomain'],
  [undefined, '::1', 'localhost.localdomain'],
  [undefined, undefined, 'localhost.localdomain'],
])('with PUBLIC_URL %s and the local address %s, the name for mail servers is %s', (publicUrl, address, name) => {
  expect(clientName(publicUrl, address)).toBe(name);
});
