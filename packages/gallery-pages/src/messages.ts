import type { Language } from '@outreach/html-pages';
import { ENGLISH, type GalleryMessages } from './messages.en.js';
import { FRENCH } from './messages.fr.js';

/** The texts of the gallery, by language. */
export const GALLERY_MESSAGES: Readonly<Record<Language, GalleryMessages>> = { en: ENGLISH, fr: FRENCH };

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };
