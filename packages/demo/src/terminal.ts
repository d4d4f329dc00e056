const PROGRESS_INTERVAL_MS = 1000;
/** The width of a terminal that does not report its width. */
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = '\r\u001b[2K';

/** The output of the demo: a terminal or a file. */
export class Terminal {
  private isOpen = false;
  private lastAt = -Infinity;

  constructor(private readonly out: NodeJS.WriteStream) {}

  line(text = ''): void {
    this.endProgress();
    this.out.write(`${text}\n`);
  }

  /** Prints the progress: overwrites one line of a terminal, appends at most one line per second to a file. */
  progress(text: string): void {
    if (this.out.isTTY) {
      this.out.write(`${CLEAR_LINE}${text.slice(0, (this.out.columns || DEFAULT_COLUMNS) - 1)}`);
      this.isOpen = true;
    } else if (performance.now() - this.lastAt >= PROGRESS_INTERVAL_MS) {
      this.out.write(`${text}\n`);
      this.lastAt = performance.now();
    }
  }

  private endProgress(): void {
    if (this.isOpen) this.out.write(CLEAR_LINE);
    this.isOpen = false;
  }
}
