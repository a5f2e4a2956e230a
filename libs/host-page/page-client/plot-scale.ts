/** The part of a plot in which values are drawn, in the units of the plot. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Multiples of a power of ten whose half is a short number too. */
const STEPS = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];

/** The smallest number suited as a label of an axis that is not below the value; 1 for 0. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = STEPS.find((step) => step * power >= value) ?? 10;
  return step * power;
}

/** The horizontal position of a time between the edges of a box; undefined if it is before the left edge. */
export function placeOf(at: number, newest: number, spanMs: number, box: Box): number | undefined {
  const share = 1 - (newest - at) / spanMs;
  return share < 0 ? undefined : box.left + box.width * Math.min(1, share);
}

/**
 * The points of a polyline. The newest value lies at the right edge, and `capacity` values fill
 * the box.
 */
export function points(values: readonly number[], capacity: number, top: number, box: Box): string {
  const step = box.width / Math.max(1, capacity - 1);
  const right = box.left + box.width;
  return values
    .map((value, index) => {
      const x = right - (values.length - 1 - index) * step;
      const y = box.top + box.height * (1 - value / top);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}

/** The path of a bar for each value above zero; the newest is at the right edge, and `capacity` values fill the box. */
export function bars(values: readonly number[], capacity: number, top: number, box: Box): string {
  const step = box.width / Math.max(1, capacity);
  const right = box.left + box.width - step / 2;
  const bottom = box.top + box.height;
  return values
    .map((value, index) => {
      const x = right - (values.length - 1 - index) * step;
      const y = bottom - (box.height * value) / top;
      return value > 0 ? `M${x.toFixed(1)},${bottom}V${y.toFixed(1)}` : '';
    })
    .join('');
}
