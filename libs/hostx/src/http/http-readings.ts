import type { MetricReading } from '@apix/contracts';
import type { Connections } from './connections.js';

/** The figures of the connections of an HTTP service for meters. */
export function* readingsOfHttp(
  service: string,
  connections: Connections,
): Iterable<MetricReading> {
  for (const [protocol, count] of connections.counts()) {
    const attributes = { service, protocol };
    yield {
      name: 'hostx.http.connections',
      kind: 'gauge',
      value: count.connections,
      description: 'Connections that are open; each session of HTTP/2 is one',
      attributes,
    };
    yield {
      name: 'hostx.http.requests.running',
      kind: 'gauge',
      value: count.requests,
      description: 'HTTP requests under way, streams of HTTP/2 included',
      attributes,
    };
  }
}
