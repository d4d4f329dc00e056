import { BodyCache, RenderedTooLong, TemplateTooComplex, tokenSource } from '@outreach/template-language';
import { valueReader } from '../../templates/index.js';
import type { MarketplaceTemplate } from '../marketplace-template.entity.js';
import type { GalleryTemplate } from './gallery-queries.cross-tenant.js';
import { sampleValues } from './sample-values.js';

/** In UTF-16 units: about what six lines of a card show. */
const MAX_EXCERPT_LENGTH = 400;

/** In bytes. All shipped templates take half of it. */
const CACHE_BYTES = 4 * 1024 * 1024;

/** The text parts of templates, converted once. Long bodies are converted without occupying the event loop. */
export class TemplateTexts {
  private readonly bodies = new BodyCache(undefined, { entries: 500, bytes: CACHE_BYTES });

  /** Returns the beginning of a letter's text with sample values, or undefined if its body was not read. */
  async excerpt({ letter, locale }: Pick<GalleryTemplate, 'letter' | 'locale'>): Promise<string | undefined> {
    if (letter === null) return undefined;
    return this.tried(async () => {
      const text = (await this.bodies.load(letter)).renderText(valueReader(sampleValues(locale)));
      return text
        .replace(/\n+/g, '\n')
        .slice(0, MAX_EXCERPT_LENGTH)
        .replace(/[\uD800-\uDBFF]$/, '');
    });
  }

  /** Returns the text part with its variables, or undefined if the body cannot be converted. */
  async source({ body }: Pick<MarketplaceTemplate, 'body'>): Promise<string | undefined> {
    return this.tried(async () => (await this.bodies.load(body)).text.tokens.map(tokenSource).join(''));
  }

  private async tried(convert: () => Promise<string>): Promise<string | undefined> {
    try {
      return await convert();
    } catch (error) {
      if (error instanceof TemplateTooComplex || error instanceof RenderedTooLong) return undefined;
      throw error;
    }
  }
}
