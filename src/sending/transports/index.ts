export { type SendOptions, type Transport } from './transport.js';
export { Transports } from './transports.js';
