import type { Outlet } from './outlet.js';
import type { LineSegment } from './waiting-lines.js';

/** The only write that another thread may have in progress for an outlet. */
export class BackgroundWrite {
  #segment: LineSegment | undefined;

  constructor(
    private readonly outlet: Outlet,
    /** Called in a later turn, when the segment is written or the outlet has failed. */
    private readonly onLanded: (segment: LineSegment, error: Error | null) => void,
  ) {}

  get isUnderWay(): boolean {
    return this.#segment !== undefined;
  }

  start(segment: LineSegment): void {
    this.#segment = segment;
    const { bytes, start, end } = segment;
    this.outlet.writeInBackground!(bytes, start, end - start, (error, written) => {
      if (this.#segment !== segment) return;
      segment.start += written;
      if (error === null && segment.start < segment.end) return this.start(segment);
      this.#segment = undefined;
      this.onLanded(segment, error);
    });
  }

  /**
   * Takes the segment back into this thread, with no bytes lost or written twice; undefined when no write
   * is in progress. Its end is then not reported.
   */
  settle(): LineSegment | undefined {
    const segment = this.#segment;
    this.#segment = undefined;
    if (segment !== undefined) segment.start += this.outlet.settleBackground!();
    return segment;
  }
}
