import type { PageView, Sample } from '../../../src/page-view.js';
import { byId, svgOf } from '../../elements.js';
import { Plot } from '../../plot.js';
import { BYTES_PER_MB, megabytesText, millisecondsText, spanText } from '../../texts.js';
import { marksOf } from './overview-rows.js';

/** Memory and delay of the event loop over time. */
export class ProcessPlots {
  readonly #memory = new Plot(
    svgOf('memory'),
    byId('memory-legend'),
    'Memory',
    ['resident', 'heap in use'],
    megabytesText,
  );
  readonly #delay = new Plot(
    svgOf('delay'),
    byId('delay-legend'),
    'Delay of the event loop',
    ['longest', 'median'],
    millisecondsText,
  );

  show(view: PageView): void {
    const { samples, keeps } = view;
    const spanMs = keeps.samples * keeps.intervalMs;
    const ago = `${spanText(spanMs)} ago`;
    const newest = samples.at(-1)?.at ?? view.now;
    const range = { capacity: keeps.samples, spanMs, ago, newest };
    const marks = marksOf(view);
    const values = (of: (sample: Sample) => number): number[] => samples.map(of);
    this.#memory.show(
      [values(({ rss }) => rss / BYTES_PER_MB), values(({ heapUsed }) => heapUsed / BYTES_PER_MB)],
      range,
      marks,
    );
    this.#delay.show(
      [values(({ delayMaxMs }) => delayMaxMs), values(({ delayMedianMs }) => delayMedianMs)],
      range,
      marks,
    );
  }
}
