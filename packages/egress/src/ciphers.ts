import { DEFAULT_CIPHERS } from 'node:tls';

/**
 * The ciphers of connections to servers that customers name: those of Node without Diffie-Hellman over numbers of the server's
 * choice. With 10,000 bits, which OpenSSL accepts, each handshake would occupy the event loop for a second. Servers that know no
 * elliptic curves are older than TLS 1.2 in practice.
 */
export const CIPHERS = `${DEFAULT_CIPHERS}:!kDHE`;
