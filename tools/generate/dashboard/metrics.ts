/** What Grafana's variables choose. */
const CHOSEN = 'job=~"$job",instance=~"$instance"';

/** How a unit is written at the end of a name by those who write it there. */
export type UnitSuffix = 'seconds' | 'bytes' | 'ratio';

/**
 * A selector of a metric as Prometheus names it. OpenTelemetry's exporter for Node leaves the unit out of the name, its
 * collector and Prometheus' own OTLP receiver write it there: either is found.
 *
 * @param end what follows the unit, such as `_bucket`.
 * @param labels further matchers, such as `error_type!=""`.
 */
export function metric(name: string, unit: UnitSuffix | '', end = '', labels = ''): string {
  const matchers = labels === '' ? CHOSEN : `${CHOSEN},${labels}`;
  if (unit === '') return `${name}${end}{${matchers}}`;
  // Why: docs/decisions/0074
  return `{__name__=~"${name}(_${unit})?${end}",${matchers}}`;
}

/** A selector of all metrics whose whole name matches. */
export function anyOf(names: string): string {
  return `{__name__=~"${names}",${CHOSEN}}`;
}

/** How often something is counted, in a second. */
export function rate(selector: string, by: string): string {
  return `sum by (${by}) (rate(${selector}[$__rate_interval]))`;
}

/** A quantile of a histogram of seconds. */
export function quantile(q: number, name: string, by: string): string {
  const buckets = rate(metric(name, 'seconds', '_bucket'), `le, ${by}`);
  return `histogram_quantile(${q}, ${buckets})`;
}
