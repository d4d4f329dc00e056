import { foreignMergeTags, variablesWithoutDefault } from '@outreach/template-language';
import type { Campaign, StepRecord } from '../../campaigns/index.js';
import { MESSAGE_VARIABLES } from '../../templates/index.js';
import { MAX_SHORT_BODY_LENGTH, MAX_SUBJECT_CHARACTERS, type WarningCounts } from './campaign-warnings.js';

const VARIABLE = /\{\{[^}]*\}\}/g;
const UNSUBSCRIBE_LINK = /\{\{\s*unsubscribe_url\b/;
const IMAGE = /<img\b/i;
const POSTAL_ADDRESS = /\{\{\s*sender_address\b/;

/** No contact has values for so many, because it has at most 64 KB. */
const MAX_NEEDED_VARIABLES = 10_000;

/** Merge tags that the warning names. */
const MAX_NAMED_TAGS = 10;

/** A text that is sent: that of a step, or of one of its variants. */
interface SentText {
  readonly subject: string;
  readonly body: string;
}

/** What the texts of a campaign's steps say. The steps are examined in parts, so that few texts are in memory. */
export class StepTexts {
  private readonly needed = new Set<string>();
  private steps = 0;
  private stepsWithoutLink = 0;
  private stepsWithoutAddress = 0;
  /** Those of them whose footer has no address either, because they have an unsubscribe link. */
  private stepsWithLinkAlone = 0;
  private longSubjects = 0;
  private shortSteps = 0;
  private shortStepsWithImage = 0;
  private stepsWithForeignTags = 0;
  private readonly namedTags: string[] = [];

  /** The variables that need a value of the contact: those without a default, and those that the steps require. */
  get neededVariables(): readonly string[] {
    return [...this.needed];
  }

  /** The first merge tags of other services, each with the position of its step. */
  get foreignTags(): string {
    return this.namedTags.length === 0 ? '' : `Found: ${this.namedTags.join(', ')}.`;
  }

  /** Returns what can be said of the texts alone. @param hasAddress whether the workspace has a postal address */
  counts(
    { unsubscribe_footer: hasFooter, track_opens: hasPixel }: Pick<Campaign, 'unsubscribe_footer' | 'track_opens'>,
    hasAddress: boolean,
  ): Pick<
    WarningCounts,
    'no_unsubscribe_link' | 'no_postal_address' | 'foreign_merge_tags' | 'long_subject' | 'mostly_image'
  > {
    const withoutAddress = hasFooter ? this.stepsWithLinkAlone : this.stepsWithoutAddress;
    return {
      no_unsubscribe_link: hasFooter ? 0 : this.stepsWithoutLink,
      no_postal_address: hasAddress ? withoutAddress : this.steps,
      foreign_merge_tags: this.stepsWithForeignTags,
      long_subject: this.longSubjects,
      mostly_image: hasPixel ? this.shortSteps : this.shortStepsWithImage,
    };
  }

  /** Examines further steps. Can be interrupted after each text, because a long one takes some milliseconds. */
  *examine(steps: readonly StepRecord[]): Generator<undefined, void> {
    for (const step of steps) {
      const texts = textsOf(step);
      const tags = new Set<string>();
      for (const text of texts) {
        this.examineText(text);
        yield;
        const found = foreignMergeTags(`${text.subject}\n${text.body}`);
        for (const tag of found.slice(0, MAX_NAMED_TAGS)) tags.add(copyOf(tag));
        yield;
      }
      this.nameTags(step.position, tags);
      this.examineFooters(texts);
      this.examineLengths(texts);
      for (const name of step.required_variables) this.need(name);
    }
  }

  private examineFooters(texts: readonly SentText[]): void {
    const found = texts.map(({ body }) => ({ link: UNSUBSCRIBE_LINK.test(body), address: POSTAL_ADDRESS.test(body) }));
    this.steps += 1;
    if (found.some(({ link }) => !link)) this.stepsWithoutLink += 1;
    if (found.some(({ address }) => !address)) this.stepsWithoutAddress += 1;
    if (found.some(({ link, address }) => link && !address)) this.stepsWithLinkAlone += 1;
  }

  private nameTags(position: number, tags: ReadonlySet<string>): void {
    if (tags.size === 0) return;
    this.stepsWithForeignTags += 1;
    const named = [...tags].slice(0, MAX_NAMED_TAGS - this.namedTags.length);
    this.namedTags.push(...named.map((tag) => `"${tag}" in step ${position}`));
  }

  private examineLengths(texts: readonly SentText[]): void {
    const short = texts.filter(({ body }) => body.length <= MAX_SHORT_BODY_LENGTH);
    if (short.length > 0) this.shortSteps += 1;
    if (short.some(({ body }) => IMAGE.test(body))) this.shortStepsWithImage += 1;
  }

  private examineText({ subject, body }: SentText): void {
    if ([...subject.replace(VARIABLE, '')].length > MAX_SUBJECT_CHARACTERS) this.longSubjects += 1;
    for (const name of [...variablesWithoutDefault(subject), ...variablesWithoutDefault(body)])
      if (!MESSAGE_VARIABLES.includes(name)) this.need(name);
  }

  private need(name: string): void {
    if (!this.needed.has(name) && this.needed.size < MAX_NEEDED_VARIABLES) this.needed.add(copyOf(name));
  }
}

/** The texts that are sent: those of the variants that can be drawn, or that of the step. */
function textsOf({ subject, body, variants }: StepRecord): SentText[] {
  const drawn = variants.filter(({ weight }) => weight > 0);
  const texts = drawn.length > 0 ? drawn : [{ subject, body }];
  return texts.map((text) => ({ subject: text.subject ?? subject, body: text.body ?? body }));
}

/** A part of a text retains the whole text. */
const copyOf = (name: string): string => Buffer.from(name).toString();
