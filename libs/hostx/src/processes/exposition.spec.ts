import { describe, expect, it } from '@jest/globals';
import { addExposition, type Exposition, readExposition, writeExposition } from './exposition.js';

const ONE = `# HELP orders_total Orders
# TYPE orders_total counter
orders_total{shop="a \\"}{",zone="n"} 2
# TYPE took_seconds histogram
took_seconds_bucket{le="1"} 1
took_seconds_bucket{le="+Inf"} 3
took_seconds_sum 4.5
took_seconds_count 3
# TYPE open gauge
open 7
# TYPE heap gauge
heap{space="new"} +Inf
# TYPE size summary
size{quantile="0.5"} 5
size_sum 10
size_count 2
loose 1
`;

function sumOf(...parts: [text: string, process: string | null][]): string {
  const sum: Exposition = new Map();
  for (const [text, process] of parts) addExposition(sum, readExposition(text), process);
  return writeExposition(sum);
}

describe('the figures of several processes', () => {
  it('are sums of counters and histograms, and other figures by process', () => {
    expect(sumOf([ONE, '1'], [ONE, '2'])).toBe(`# HELP orders_total Orders
# TYPE orders_total counter
orders_total{shop="a \\"}{",zone="n"} 4
# TYPE took_seconds histogram
took_seconds_bucket{le="1"} 2
took_seconds_bucket{le="+Inf"} 6
took_seconds_sum 9
took_seconds_count 6
# TYPE open gauge
open{process="1"} 7
open{process="2"} 7
# TYPE heap gauge
heap{process="1",space="new"} +Inf
heap{process="2",space="new"} +Inf
# TYPE size summary
size{process="1",quantile="0.5"} 5
size_sum 20
size_count 4
size{process="2",quantile="0.5"} 5
loose{process="1"} 1
loose{process="2"} 1
`);
  });

  it('keep only the counts of a process that has ended', () => {
    const text = sumOf([ONE, null]);
    expect(text).toContain('orders_total{shop="a \\"}{",zone="n"} 2\n');
    expect(text).not.toMatch(/^(open|heap|loose|# TYPE open)/m);
  });
});
