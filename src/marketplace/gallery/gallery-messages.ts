import type { Language } from '../../platform/pages/index.js';
import type { TemplateCategory } from '../../templates/index.js';
import type { Locale } from '../marketplace-record.js';

/** The texts of the gallery in one language. */
export interface GalleryMessages {
  readonly marketplace: string;
  readonly headline: string;
  readonly lead: string;
  readonly templates: string;
  readonly templatesLead: string;
  readonly packs: string;
  readonly packsLead: string;
  readonly category: string;
  readonly locale: string;
  readonly all: string;
  readonly categories: Readonly<Record<TemplateCategory, string>>;
  readonly locales: Readonly<Record<Locale, string>>;
  readonly pageLanguage: string;
  readonly nothing: string;
  readonly featured: string;
  readonly subject: string;
  readonly downloads: string;
  readonly downloaded: (count: number) => string;
  readonly emails: (count: number) => string;
  readonly inThisOrder: string;
  readonly preview: (name: string) => string;
  readonly previewAlone: string;
  readonly sampled: string;
  readonly facts: string;
  readonly slug: string;
  readonly variables: string;
  readonly noVariables: string;
  readonly copy: string;
  readonly copyTemplate: string;
  readonly copyPack: string;
  readonly allTemplates: string;
  readonly notFound: string;
  readonly notFoundText: string;
  readonly failed: string;
  readonly failedText: string;
}

const counted = (count: number, one: string, many: string, locale: Language): string =>
  `${new Intl.NumberFormat(locale).format(count)} ${new Intl.PluralRules(locale).select(count) === 'one' ? one : many}`;

const EN: GalleryMessages = {
  marketplace: 'Template marketplace',
  headline: 'Emails worth sending',
  lead: 'Ready-made templates, and packs of templates that belong together. Read them here, then copy them into your workspace through the API and make them yours.',
  templates: 'Templates',
  templatesLead: 'One email each, for one occasion.',
  packs: 'Packs',
  packsLead: 'Sequences from the first email to the last, to be sent in this order.',
  category: 'Category',
  locale: 'Language',
  all: 'All',
  categories: {
    prospection: 'Prospecting',
    'follow-up': 'Follow-up',
    welcome: 'Welcome',
    newsletter: 'Newsletter',
    promotional: 'Promotional',
    transactional: 'Transactional',
    other: 'Other',
  },
  locales: { fr: 'French', en: 'English' },
  pageLanguage: 'Language of this page',
  nothing: 'There is nothing here yet.',
  featured: 'Featured',
  subject: 'Subject',
  downloads: 'Downloads',
  downloaded: (count) => counted(count, 'download', 'downloads', 'en'),
  emails: (count) => counted(count, 'email', 'emails', 'en'),
  inThisOrder: 'In this order',
  preview: (name) => `Preview of “${name}”`,
  previewAlone: 'Open the preview alone',
  sampled: 'Filled in with a sample contact.',
  facts: 'About this template',
  slug: 'Slug',
  variables: 'Variables',
  noVariables: 'None: it is sent unchanged.',
  copy: 'Use it',
  copyTemplate: 'This copies the template into your workspace, where it can be edited and sent.',
  copyPack: 'This copies all templates of the pack into your workspace, where they can be edited and sent.',
  allTemplates: 'All templates and packs',
  notFound: 'This is not in the marketplace',
  notFoundText: 'It may have been removed, or the address is incomplete.',
  failed: 'That did not work',
  failedText: 'Please try again in a moment.',
};

const FR: GalleryMessages = {
  marketplace: 'Catalogue de modèles',
  headline: 'Des e-mails qui méritent d’être envoyés',
  lead: 'Des modèles prêts à l’emploi, seuls ou réunis en séquences. Lisez-les ici, puis copiez-les dans votre espace de travail par l’API et faites-en les vôtres.',
  templates: 'Modèles',
  templatesLead: 'Un e-mail chacun, pour une occasion précise.',
  packs: 'Packs',
  packsLead: 'Des séquences complètes, du premier e-mail au dernier, à envoyer dans cet ordre.',
  category: 'Catégorie',
  locale: 'Langue',
  all: 'Toutes',
  categories: {
    prospection: 'Prospection',
    'follow-up': 'Relance',
    welcome: 'Bienvenue',
    newsletter: 'Lettre d’information',
    promotional: 'Promotion',
    transactional: 'Transactionnel',
    other: 'Autres',
  },
  locales: { fr: 'Français', en: 'Anglais' },
  pageLanguage: 'Langue de cette page',
  nothing: 'Il n’y a encore rien ici.',
  featured: 'À la une',
  subject: 'Objet',
  downloads: 'Téléchargements',
  downloaded: (count) => counted(count, 'téléchargement', 'téléchargements', 'fr'),
  emails: (count) => counted(count, 'e-mail', 'e-mails', 'fr'),
  inThisOrder: 'Dans cet ordre',
  preview: (name) => `Aperçu de « ${name} »`,
  previewAlone: 'Ouvrir l’aperçu seul',
  sampled: 'Rempli avec un contact d’exemple.',
  facts: 'À propos de ce modèle',
  slug: 'Identifiant',
  variables: 'Variables',
  noVariables: 'Aucune : il s’envoie tel quel.',
  copy: 'L’utiliser',
  copyTemplate: 'Copie le modèle dans votre espace de travail, où vous pouvez le modifier et l’envoyer.',
  copyPack: 'Copie tous les modèles du pack dans votre espace de travail, où vous pouvez les modifier et les envoyer.',
  allTemplates: 'Tous les modèles et packs',
  notFound: 'Absent du catalogue',
  notFoundText: 'Il a peut-être été retiré, ou l’adresse est incomplète.',
  failed: 'Cela n’a pas fonctionné',
  failedText: 'Veuillez réessayer dans un instant.',
};

export const GALLERY_MESSAGES: Readonly<Record<Language, GalleryMessages>> = { en: EN, fr: FR };

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };
