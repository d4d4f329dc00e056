// A mail server that takes everything, as fast as it can, and counts. Run by the benchmarks in a process of its own.
import { createServer } from 'node:net';

let taken = 0;
const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  let content = false;
  let buffered = '';
  socket.write('220 sink\r\n');
  socket.on('data', (chunk) => {
    buffered += chunk.toString('latin1');
    for (;;) {
      const end = content ? buffered.indexOf('\r\n.\r\n') : buffered.indexOf('\r\n');
      if (end < 0) return;
      const line = buffered.slice(0, end).toUpperCase();
      buffered = buffered.slice(end + (content ? 5 : 2));
      if (content) {
        content = false;
        taken += 1;
        socket.write('250 taken\r\n');
      } else if (line.startsWith('EHLO')) socket.write('250-sink\r\n250-AUTH PLAIN LOGIN\r\n250 8BITMIME\r\n');
      else if (line.startsWith('AUTH')) socket.write('235 welcome\r\n');
      else if (line === 'DATA') {
        content = true;
        socket.write('354 go\r\n');
      } else if (line === 'QUIT') socket.end('221 bye\r\n');
      else socket.write('250 ok\r\n');
    }
  });
});
server.listen(2525, process.argv[2], () => process.send('listening'));
process.on('message', () => process.send({ taken }));
