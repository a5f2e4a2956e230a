import { isPromiseLike } from '@apix/contracts/internal';
import type { Serializer } from '@nestjs/microservices';
import { routeOf } from '../messages/route-of.js';
import { sentMessage } from '../messages/sent-message.js';
import type { Tracing } from '../tracing/tracing.js';
import type { Placing } from './placings.js';

interface Initialized {
  init?(): unknown;
}

/** Makes a span of each message and puts it into what another serializer makes of that. */
export class TracedSerializer implements Serializer {
  constructor(
    private readonly inner: Serializer & Initialized,
    private readonly placing: Placing,
    private readonly system: string,
    private readonly tracing: Tracing,
  ) {}

  /** The client of NATS calls it when it connects. */
  init(): unknown {
    return this.inner.init?.();
  }

  /** @param options has the pattern, with Kafka: there the value is the data alone. */
  serialize(value: unknown, options?: Record<string, unknown>): unknown {
    const { pattern } = (options ?? value ?? {}) as { readonly pattern?: unknown };
    const headers = sentMessage(this.tracing, this.system, routeOf(pattern));
    // Without a propagator a message stays as it was.
    if (Object.keys(headers).length === 0) return this.inner.serialize(value, options);
    const { before, after } = this.placing;
    const packet = before === undefined ? value : before(value, headers);
    const serialized: unknown = this.inner.serialize(packet, options);
    if (after === undefined) return serialized;
    return isPromiseLike(serialized)
      ? Promise.resolve(serialized).then((made) => after(made, headers))
      : after(serialized, headers);
  }
}
