import { type MeterProvider, metrics } from '@opentelemetry/api';
import { SCOPE_NAME } from '../scope-name.js';
import { recordCollections } from './garbage-collections.js';
import { observeLoop } from './loop-gauges.js';
import { observeProcess } from './process-gauges.js';

/**
 * Records what the process, the event loop and the garbage collector do, by the names of OpenTelemetry's
 * semantic conventions. Delays of the event loop are those since the last collection; two readers each see
 * their share.
 *
 * @param meterProvider Default: the global one, as it is at this moment.
 * @returns a function that ends it; recording does not keep the process alive.
 */
export function runtimeMeters(meterProvider: MeterProvider = metrics): () => void {
  const meter = meterProvider.getMeter(SCOPE_NAME);
  const ends = [observeProcess(meter), observeLoop(meter), recordCollections(meter)];
  return () => {
    for (const end of ends.splice(0)) end();
  };
}
