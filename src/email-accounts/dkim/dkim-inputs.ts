import { isDomainName } from '@outreach/egress';
import { DKIM_KEY_RULE, isDkimKey } from '@outreach/mail-writing';
import { customRule, type InputClass, NullableTextField } from '@outreach/http-api/fields';
import { isSelector } from './dkim-errors.js';

const MAX_DOMAIN_LENGTH = 253;
/** With `._domainkey.` and a domain, the name of its record has at most 253 characters. */
const MAX_SELECTOR_LENGTH = 100;
/** An RSA key of 4,096 bits has 3,300 characters. */
const MAX_PRIVATE_KEY_LENGTH = 10_000;

const IsDomain = (): PropertyDecorator =>
  customRule('isDkimDomain', [], {
    validate: (value) => typeof value === 'string' && isDomainName(value),
    message: (field) => `${field} must be the name of a domain such as example.com`,
    schema: {},
  });

const IsSelector = (): PropertyDecorator =>
  customRule('isDkimSelector', [], {
    validate: (value) => typeof value === 'string' && isSelector(value),
    message: (field) => `${field} must consist of letters, digits and hyphens, in labels that are separated by dots`,
    schema: {},
  });

const IsPrivateKey = (): PropertyDecorator =>
  customRule('isDkimPrivateKey', [], {
    validate: (value) => typeof value === 'string' && isDkimKey(value),
    message: (field) => `${field} ${DKIM_KEY_RULE}`,
    schema: {},
  });

/** What the messages of an account are signed with. null or an empty string clears each. */
export function dkimInputs(base: InputClass): InputClass {
  class DkimInputs extends base {
    /**
     * The domain for which messages are signed (DKIM): that of `from_email`, or one above it. It needs `dkim_selector` and
     * `dkim_private_key`. Not for providers that sign themselves.
     */
    @IsDomain() @NullableTextField(MAX_DOMAIN_LENGTH) dkim_domain?: string | null;
    /**
     * The selector of the key, at most 100 characters: publish the public key as a TXT record at
     * `{dkim_selector}._domainkey.{dkim_domain}`.
     */
    @IsSelector() @NullableTextField(MAX_SELECTOR_LENGTH) dkim_selector?: string | null;
    /**
     * The private key: RSA with 1,024 to 4,096 bits, or Ed25519, as PEM in PKCS#8 or PKCS#1 without a passphrase. It is
     * stored encrypted and never shown.
     */
    @IsPrivateKey() @NullableTextField(MAX_PRIVATE_KEY_LENGTH) dkim_private_key?: string | null;
  }
  return DkimInputs;
}
