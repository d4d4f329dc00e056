import { DemoFailed } from '../demo-failed.js';

/**
 * The JSON of a response, read by dotted paths such as `data.steps.0.sent`. An unexpected type throws with the path.
 */
export class JsonResponse {
  constructor(
    private readonly value: unknown,
    private readonly from: string,
  ) {}

  /** @throws DemoFailed if the value is not a number */
  number(path: string): number {
    const found = this.at(path);
    if (typeof found !== 'number') throw this.mismatch(path, 'a number', found);
    return found;
  }

  /** @throws DemoFailed if the value is not a string */
  text(path: string): string {
    const found = this.at(path);
    if (typeof found !== 'string') throw this.mismatch(path, 'a string', found);
    return found;
  }

  /** Returns undefined for null. @throws DemoFailed if the value is neither a string nor null */
  optionalText(path: string): string | undefined {
    return this.at(path) === null ? undefined : this.text(path);
  }

  /** Returns the elements of an array. @throws DemoFailed if the value is not an array */
  list(path: string): JsonResponse[] {
    const found = this.at(path);
    if (!Array.isArray(found)) throw this.mismatch(path, 'an array', found);
    return found.map((element, index) => new JsonResponse(element, `${this.from} ${path}.${index}`));
  }

  private at(path: string): unknown {
    return path.split('.').reduce<unknown>((value, key) => {
      const inner: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
      return inner;
    }, this.value);
  }

  private mismatch(path: string, expected: string, found: unknown): DemoFailed {
    return new DemoFailed(`${this.from} has ${JSON.stringify(found) ?? 'nothing'} where ${path} must be ${expected}.`);
  }
}
