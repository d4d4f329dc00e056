import { escapeHtml, type HtmlFormat, type ValueReader, valuesOf, variableName } from '@outreach/template-language';

/**
 * The values of a template's variables: a contact record as in the API, with `unsubscribe_url`, `sender_address`,
 * `sender: { name, email }` and `brand: { … }`. A key of the nested `custom_fields` is also found by its bare name, unless
 * the record has a field of that name.
 */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** The variable whose value has several lines, which are lines in HTML too. */
export const SENDER_ADDRESS = 'sender_address';

/** The variable that is an image in HTML, if there is one, and the name of the brand everywhere else. */
const BRAND_LOGO = 'brand.logo';
const LOGO_URL = variableName('brand.logo_url');

const FORMATS: ReadonlyMap<string, HtmlFormat> = new Map([
  [SENDER_ADDRESS, (text: string) => escapeHtml(text).replace(/\r\n|[\r\n]/g, '<br>')],
  [
    BRAND_LOGO,
    (text: string, values: ValueReader) => {
      const url = values.text(LOGO_URL);
      return url === '' ? escapeHtml(text) : logoHtml(url, text);
    },
  ],
]);

/**
 * Returns an image of which only the height is known. Outlook takes the height from the attribute, and shows `alt` while
 * images are blocked.
 */
const logoHtml = (url: string, alt: string): string =>
  `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}" height="40" ` +
  `style="display:inline-block;height:40px;width:auto;max-width:100%;border:0;vertical-align:middle">`;

/** Returns the values as templates read them. */
export const valueReader = (values: TemplateValues): ValueReader =>
  valuesOf(values, { defaultGroup: 'custom_fields', formats: FORMATS });
