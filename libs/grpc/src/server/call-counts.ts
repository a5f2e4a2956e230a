import {
  CALL_STAGE,
  type CallMethod,
  type CallStage,
  type MetricReading,
  codeName,
} from '@apix/contracts';

/** Codes of gRPC are 0 to 16. */
const CODES = 17;

interface MethodCounts {
  readonly method: CallMethod;
  /** How many calls ended so, by code. */
  readonly ended: number[];
}

/** Counts the calls of a server by method and code, those that a stage denies included. */
export class CallCounts {
  readonly #methods: MethodCounts[] = [];
  #active = 0;

  /** The first of the stages of one server, so that it sees every call and how it ended. */
  readonly stage: CallStage = {
    [CALL_STAGE]: true,
    name: 'call-counts',
    before: ['trace', 'log', 'authz'],
    bind: (method) => {
      const ended = Array.from({ length: CODES }, () => 0);
      this.#methods.push({ method, ended });
      return {
        onCall: () => void this.#active++,
        onEnd: (_, { code }) => {
          this.#active--;
          ended[code]!++;
        },
      };
    },
  };

  *metrics(): Iterable<MetricReading> {
    yield {
      name: 'apix.grpc.calls.active',
      kind: 'gauge',
      value: this.#active,
      description: 'gRPC calls under way',
    };
    for (const { method, ended } of this.#methods) {
      for (const [code, value] of ended.entries()) {
        if (value === 0) continue;
        yield {
          name: 'apix.grpc.calls',
          kind: 'counter',
          value,
          description: 'gRPC calls that have ended, by method and code',
          attributes: { service: method.service, method: method.name, code: codeName(code) },
        };
      }
    }
  }
}
