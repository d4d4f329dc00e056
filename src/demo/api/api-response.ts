import { DemoFailed } from '../demo-failed.js';

/** JSON as it came over the wire, read by dotted paths such as `data.steps.0.sent`. What is not as it must be fails by name. */
export class ApiResponse {
  constructor(
    private readonly value: unknown,
    private readonly from: string,
  ) {}

  /** @throws DemoFailed where no number stands there */
  number(path: string): number {
    const found = this.at(path);
    if (typeof found !== 'number') throw this.mismatch(path, 'a number', found);
    return found;
  }

  /** @throws DemoFailed where no text stands there */
  text(path: string): string {
    const found = this.at(path);
    if (typeof found !== 'string') throw this.mismatch(path, 'a text', found);
    return found;
  }

  /** The text there, unless it is null. */
  optionalText(path: string): string | undefined {
    return this.at(path) === null ? undefined : this.text(path);
  }

  /** The elements of an array. @throws DemoFailed where none stands there */
  list(path: string): ApiResponse[] {
    const found = this.at(path);
    if (!Array.isArray(found)) throw this.mismatch(path, 'an array', found);
    return found.map((element, index) => new ApiResponse(element, `${this.from} ${path}.${index}`));
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
