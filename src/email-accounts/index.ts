export { EmailAccount, EmailAccountDay, type EmailAccountType } from './email-account.entity.js';
