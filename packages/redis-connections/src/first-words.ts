import { connect } from 'node:net';

/** How long a server that only waits for commands is listened to. */
const TIMEOUT_MS = 1_000;
const REDIS_PORT = 6379;

/**
 * Returns what a server says before it is asked anything, without the sign of an error; empty if it says nothing. Redis in
 * protected mode refuses clients so, and closes: the operating system then drops its words if a command is under way.
 */
export function firstWordsOf(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let words = '';
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || REDIS_PORT });
    socket.setEncoding('utf8').setTimeout(TIMEOUT_MS, () => socket.destroy());
    socket.on('data', (text: string) => (words += text));
    // It closes after an error, too.
    socket.on('error', () => undefined).on('close', () => resolve(words.replace(/^-/, '').trim()));
  });
}
