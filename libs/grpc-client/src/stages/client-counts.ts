import { type CallMethod, type MetricReading, codeName } from '@apix/contracts';
import type { BoundClientStage, ClientStage } from './client-stage.js';

/** Codes of gRPC are 0 to 16. */
const CODES = 17;

/** Counts the calls that clients make, by method and code. */
export class ClientCounts implements ClientStage {
  readonly name = 'client-counts';
  readonly #ended = new Map<string, { readonly method: CallMethod; readonly codes: number[] }>();
  #active = 0;

  bind(method: CallMethod): BoundClientStage {
    const known = this.#ended.get(method.fullName);
    const { codes } = known ?? { codes: Array.from({ length: CODES }, () => 0) };
    if (known === undefined) this.#ended.set(method.fullName, { method, codes });
    return {
      onCall: () => void this.#active++,
      onEnd: (_, { code }) => {
        this.#active--;
        codes[code]!++;
      },
    };
  }

  *metrics(): Iterable<MetricReading> {
    yield {
      name: 'apix.grpc.client.calls.active',
      kind: 'gauge',
      value: this.#active,
      description: 'gRPC calls to other services under way',
    };
    for (const { method, codes } of this.#ended.values()) {
      for (const [code, value] of codes.entries()) {
        if (value === 0) continue;
        yield {
          name: 'apix.grpc.client.calls',
          kind: 'counter',
          value,
          description: 'gRPC calls to other services that have ended, by method and code',
          attributes: { service: method.service, method: method.name, code: codeName(code) },
        };
      }
    }
  }
}
