export { type Transport } from './transport.js';
export { Transports } from './transports.js';
