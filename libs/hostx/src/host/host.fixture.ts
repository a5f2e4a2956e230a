import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import { Host, type HostBuilder } from './host-builder.js';

/** A builder that knows no real time and no environment. */
export function builderOf(clock: FakeClock = fakeClock()): HostBuilder {
  return Host.builder().withClock(clock).withEnvironment('Test');
}

/** How a run ended: 'nil', or the error's message. */
export function ending(run: Promise<void>): Promise<string> {
  return run.then(
    () => 'nil',
    (error: Error) => error.message,
  );
}

/** Foreign code that hangs. */
export function never(): Promise<void> {
  return new Promise(() => {});
}
