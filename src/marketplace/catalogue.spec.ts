import { join } from 'node:path';
import { parseTemplate, toPlainText } from '@outreach/template-language';
import { attributesOf, htmlErrors } from '../../test/support/html-errors.js';
import { BRAND_VARIABLES, TEMPLATE_CATEGORIES, type TemplateValues, valueReader } from '../templates/index.js';
import { LOCALES } from './marketplace-record.js';
import { type Catalogue, type CatalogueTemplate, readCatalogue } from './publishing/read-catalogue.js';

const FOLDER = join(import.meta.dirname, 'catalogue');
const BUILT_IN = ['sender.name', 'sender.email', 'unsubscribe_url', ...BRAND_VARIABLES];
const MAX_SUBJECT_LENGTH = 59;
const MAX_BODY_BYTES = 20_000;

const MESSAGE = {
  sender: { name: 'Alex Bernard', email: 'alex.bernard@example.com' },
  unsubscribe_url: 'https://example.com/unsubscribe',
};
/** Values of common length, apart from the longer names. */
const KNOWN: Readonly<Record<string, string>> = {
  first_name: 'Marie-Hélène',
  company: 'Dupont & Fils',
  job_title: 'Marketing Manager',
  topic: 'expense reports',
};

const isDesigned = ({ body }: CatalogueTemplate): boolean => /^<!doctype html>/i.test(body);

function usedIn({ subject, body }: CatalogueTemplate): string[] {
  const names = [...parseTemplate(subject).variables, ...parseTemplate(body).variables];
  return [...new Set(names)].filter((name) => !BUILT_IN.includes(name));
}

function fullValues(template: CatalogueTemplate): TemplateValues {
  const valueOf = (name: string): string =>
    KNOWN[name] ?? (name.endsWith('_url') ? `https://example.com/${name}` : name.replaceAll('_', ' '));
  return { ...MESSAGE, ...Object.fromEntries(usedIn(template).map((name) => [name, valueOf(name)])) };
}

interface Rendered {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** Renders a template for a contact with all fields, for one without any, and without the values of the message. */
function renderings(template: CatalogueTemplate): Rendered[] {
  return [fullValues(template), MESSAGE, {}].map((record) => {
    const values = valueReader(record);
    const html = parseTemplate(template.body).renderHtml(values);
    return { subject: parseTemplate(template.subject).renderSubject(values), html, text: toPlainText(html) };
  });
}

const UNRENDERED = /undefined|\bnull\b|NaN|\[object|\{\{|\}\}/;
const EMPTY_GREETING = /(?:^|\n)\s*(?:hi|hello|hey|dear|bonjour|bonsoir|cher|chère)\s*[,!.]/i;
const ORPHANED = /(?:^|\n)[ \t]*[,.;:!?)](?:\s|$)|[ \u00a0][,.](?:\s|$)|,\s*[,.]|\(\s*\)|“\s*”|«\s*»|<\s*>|\(\s|\s\)/;
// Table columns are more than two spaces apart, and the spaces before list items are at the start of a line.
const DOUBLE_SPACE = /\S(?: {2}|\u00a0 | \u00a0|\u00a0\u00a0)(?=\S)/;

const SPAM: Readonly<Record<string, RegExp>> = {
  en: /\b(?:click here|act now|buy now|order now|free|guaranteed?|risk-free|no obligation|winner|cash|limited time|last chance|once in a lifetime|cheap|amazing|incredible|100 ?%|don’t miss)\b/i,
  fr: /(?<!\p{L})(?:cliquez ici|gratuit(?:e|es|s|ement)?|garanti(?:e|s|es)?|dernière chance|offre exceptionnelle|incroyable|profitez(?:-en)?|gagnez|argent|pas cher|sans engagement|100 %|immanquable|ne manquez pas)(?!\p{L})/iu,
};
const SHOUTING = /!\s*!|\b(?!MERCI\b)\p{Lu}{5,}\b/u;

const NO_BREAK = '\u00a0\u202f';
const FRENCH_SPACING = new RegExp(`[^${NO_BREAK}:?!][:;?!»](?=\\s|$)|«[^${NO_BREAK}]|[${NO_BREAK}][,.](?:\\s|$)`, 'u');

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await readCatalogue(FOLDER);
});

/** Returns `slug: problem` for each problem of each template. */
const problemsInAll = (
  problemsOf: (template: CatalogueTemplate) => readonly (string | false | undefined)[],
): string[] =>
  catalogue.templates.flatMap((template) =>
    problemsOf(template).flatMap((problem) => (problem ? [`${template.slug}: ${problem}`] : [])),
  );
const matching = (text: string, pattern: RegExp): string | false => {
  const found = pattern.exec(text);
  return found !== null && `…${text.slice(Math.max(0, found.index - 30), found.index + 30)}…`;
};

describe('the shipped catalogue', () => {
  it('has at least 60 templates and 10 packs, half of them in each language, and templates in every category', () => {
    const { templates, packs } = catalogue;
    expect(templates.length).toBeGreaterThanOrEqual(60);
    expect(packs.length).toBeGreaterThanOrEqual(10);
    for (const locale of LOCALES) {
      const own = templates.filter((template) => template.locale === locale);
      expect(own.length).toBe(templates.length / LOCALES.length);
      expect(packs.filter(({ fields }) => fields.locale === locale).length).toBe(packs.length / LOCALES.length);
      expect(new Set(own.map(({ category }) => category))).toEqual(new Set(TEMPLATE_CATEGORIES));
    }
  });

  it('is completely published, with unique names, and features some records in each language', () => {
    const all = [...catalogue.templates, ...catalogue.packs.map(({ fields }) => fields)];
    expect(all.filter(({ is_published: isPublished }) => !isPublished)).toEqual([]);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const records of [catalogue.templates, catalogue.packs.map(({ fields }) => fields)]) {
      for (const locale of LOCALES) {
        const featured = records.filter((record) => record.locale === locale && record.is_featured).length;
        expect(featured).toBeGreaterThan(0);
        expect(featured).toBeLessThan(records.length / LOCALES.length);
      }
    }
  });

  it('has at least three templates in each pack, all in the language of the pack', () => {
    const locales = new Map(catalogue.templates.map(({ slug, locale }) => [slug, locale]));
    for (const { fields, parts } of catalogue.packs) {
      expect([fields.slug, parts.map(({ slug }) => locales.get(slug))]).toEqual([
        fields.slug,
        parts.map(() => fields.locale),
      ]);
      expect(parts.length).toBeGreaterThanOrEqual(3);
    }
  });

  it('lists exactly the variables that each template uses', () => {
    for (const template of catalogue.templates) {
      expect([template.slug, [...template.variables].sort()]).toEqual([template.slug, usedIn(template).sort()]);
    }
  });
});

describe('a rendered template of the shipped catalogue', () => {
  it('has no placeholder for missing values, no greeting without a name and no orphaned punctuation', () => {
    const problems = problemsInAll((template) =>
      renderings(template).flatMap(({ subject, text }) =>
        [UNRENDERED, EMPTY_GREETING, ORPHANED, DOUBLE_SPACE].flatMap((pattern) => [
          matching(text, pattern),
          matching(subject, pattern),
        ]),
      ),
    );
    expect(problems).toEqual([]);
  });

  it('has a subject of less than 60 characters and a text part', () => {
    const problems = problemsInAll((template) =>
      renderings(template).flatMap(({ subject, text }) => [
        [...subject].length > MAX_SUBJECT_LENGTH && subject,
        subject.trim() === '' && 'no subject',
        subject !== subject.trim() && `blanks around "${subject}"`,
        text.length < 150 && `no text: ${text}`,
      ]),
    );
    expect(problems).toEqual([]);
  });

  it('is HTML of less than 20 kB that closes all its tags', () => {
    const problems = problemsInAll(({ body, ...rest }) => [
      ...renderings({ body, ...rest }).flatMap(({ html }) => htmlErrors(html)),
      Buffer.byteLength(body) > MAX_BODY_BYTES && `${Buffer.byteLength(body)} bytes`,
    ]);
    expect(problems).toEqual([]);
  });

  it('loads no external resources, and takes the address of each link from a variable', () => {
    const problems = problemsInAll(({ body }) => [
      matching(
        body,
        /<(?:img|link|script|iframe|video|audio|object|embed|form|input)\b|@import|url\(|\bsrc=|background=/i,
      ),
      ...attributesOf(body, 'href').filter((href) => !/^(?:mailto:)?\{\{ [\w.]+ \}\}$/.test(href)),
    ]);
    expect(problems).toEqual([]);
  });

  it('has an unsubscribe link if it is marketing', () => {
    const problems = problemsInAll(({ category, body }) => [
      ['newsletter', 'promotional'].includes(category) &&
        !body.includes('{{ unsubscribe_url }}') &&
        'no unsubscribe link',
    ]);
    expect(problems).toEqual([]);
  });

  it('is either plain like a letter, or declares its language, its title and dark mode', () => {
    expect(catalogue.templates.filter(isDesigned).length).toBeGreaterThan(10);
    const problems = problemsInAll((template) => {
      if (!isDesigned(template)) return [matching(template.body, /\s(?:style|class|bgcolor)=|<style|<table/i)];
      const [{ html } = { html: '' }] = renderings(template).slice(1);
      return [
        !html.includes(`<html lang="${template.locale}"`) && 'no lang',
        !/<title>[^<]{5,}<\/title>/.test(html) && 'no title',
        !html.includes('<meta charset="utf-8">') && 'no charset',
        !html.includes('<meta name="viewport"') && 'no viewport',
        !html.includes('<meta name="color-scheme" content="light dark">') && 'no color scheme',
        !html.includes('prefers-color-scheme:dark') && 'no dark mode',
        !html.includes('<!--[if mso]>') && 'no Outlook styles',
        /<table(?! role="presentation")(?![^]*?<th\b[^]*?<\/table>)/.test(html) &&
          'a layout table without role="presentation"',
      ];
    });
    expect(problems).toEqual([]);
  });

  it('has one place for the logo, and takes its colors from the brand, if it is designed', () => {
    const problems = problemsInAll((template) => {
      const variables = parseTemplate(template.body).tokens.filter((token) => typeof token !== 'string');
      const names = variables.map(({ name }) => name).filter((name) => name.startsWith('brand.'));
      if (!isDesigned(template)) return names;
      const colors = variables.filter(({ name }) => /^brand\.(?!name$|logo$)/.test(name));
      return [
        names.filter((name) => name === 'brand.logo').length !== 1 && 'no logo, or several',
        !names.some((name) => ['brand.color', 'brand.accent'].includes(name)) && 'no color of the brand',
        ...colors.map(({ name, fallback }) => !/^#[0-9a-f]{6}$/.test(fallback) && `no default color of ${name}`),
      ];
    });
    expect(problems).toEqual([]);
  });

  /** All texts that people read: name and description in the marketplace, rendered subjects and texts. */
  const readable = (template: CatalogueTemplate): string[] => [
    template.name,
    template.description,
    ...renderings(template).flatMap(({ subject, text }) => [subject, text.replace(/<?https?:\S+/g, '')]),
  ];

  it('contains no words that are typical of spam, and no shouting', () => {
    const problems = problemsInAll((template) =>
      readable(template).flatMap((text) => [
        matching(text, SPAM[template.locale] ?? SHOUTING),
        matching(text, SHOUTING),
      ]),
    );
    expect(problems).toEqual([]);
  });

  it('uses typographic apostrophes and quotation marks, and French spacing in French', () => {
    const problems = problemsInAll((template) =>
      readable(template).flatMap((text) => [
        matching(text, /['"`]|--|\.\.\./),
        matching(text, template.locale === 'fr' ? FRENCH_SPACING : /\s[:;?!]/),
      ]),
    );
    expect(problems).toEqual([]);
  });

  it('has no words of spam and only typographic punctuation in the names and descriptions of its packs', () => {
    const problems = catalogue.packs.flatMap(({ fields: { slug, name, description, locale } }) =>
      [name, description].flatMap((text) =>
        [/['"`]|--|\.\.\./, SPAM[locale] ?? SHOUTING, locale === 'fr' ? FRENCH_SPACING : /\s[:;?!]/].flatMap(
          (pattern) => {
            const found = matching(text, pattern);
            return found ? [`${slug}: ${found}`] : [];
          },
        ),
      ),
    );
    expect(problems).toEqual([]);
  });
});
