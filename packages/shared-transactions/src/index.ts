export { SharedTransactions, type SharedWork, type TransactionRunner } from './shared-transactions.js';
