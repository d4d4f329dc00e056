// A mail server on 127.0.0.1:2525 that prints every message and delivers none. It accepts any user name and password.
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  disableReverseLookup: true,
  onAuth: ({ username }, session, done) => done(null, { user: username }),
  onData: async (stream, session, done) => {
    console.log(`${await text(stream)}\n${'-'.repeat(78)}`);
    done();
  },
});

server.on('error', ({ message }) => console.error(message));
server.listen(2525, '127.0.0.1', () => console.log('catching mail on 127.0.0.1:2525'));
