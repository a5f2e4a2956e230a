import {
  type CallMethod,
  type CallOutcome,
  Code,
  type HealthCheck,
  type MetricReading,
  StatusError,
} from '@apix/contracts';
import type { BoundClientStage, ClientStage, OutgoingCall } from '../stages/client-stage.js';
import { type BreakerRules, type CircuitBreakerOptions, breakerRules } from './breaker-options.js';
import { Circuit, type CircuitPhase, type ReportCall, type CallVerdict } from './circuit.js';

interface KeptCircuit {
  readonly circuit: Circuit;
  readonly attributes: Readonly<Record<string, string>>;
}

const PHASE_NUMBERS: Readonly<Record<CircuitPhase, number>> = { closed: 0, probing: 1, open: 2 };

/**
 * A stage that refuses calls as UNAVAILABLE while too many of those before them have failed, so that a server
 * that is down is left alone and its callers wait for nothing. It sees a call with all its retries as one. Of a
 * stream of responses the beginning decides. Clients that are given the same breaker share its circuits.
 *
 * @throws GrpcSetupError that lists every mistake in the options.
 */
export function circuitBreaker(options: CircuitBreakerOptions = {}): ClientStage {
  return new CircuitBreaker(breakerRules(options));
}

// Why: docs/decisions/0273
class CircuitBreaker implements ClientStage {
  readonly name = 'circuit breaker';
  readonly #rules: BreakerRules;
  readonly #circuits = new Map<string, KeptCircuit>();
  readonly #reports = new WeakMap<OutgoingCall, ReportCall>();

  constructor(rules: BreakerRules) {
    this.#rules = rules;
  }

  bind(method: CallMethod): BoundClientStage {
    const hasStream = method.kind === 'server_stream' || method.kind === 'bidi_stream';
    return {
      onCall: (call) => {
        const { circuit } = this.#circuitOf(call);
        const report = circuit.enter();
        if (report === undefined) throw refusal(call);
        this.#reports.set(call, report);
      },
      ...(hasStream && { onResponse: (call) => this.#reports.get(call)?.('works') }),
      onEnd: (call, outcome) => this.#reports.get(call)?.(this.#verdict(outcome)),
    };
  }

  *metrics(): Iterable<MetricReading> {
    for (const { circuit, attributes } of this.#circuits.values()) {
      yield {
        name: 'apix.grpc.client.circuit.state',
        kind: 'gauge',
        value: PHASE_NUMBERS[circuit.phase],
        description: 'Circuits of gRPC clients: 0 closed, 1 probing, 2 open',
        attributes,
      };
      yield {
        name: 'apix.grpc.client.circuit.refused',
        kind: 'counter',
        value: circuit.refused,
        description: 'gRPC calls that an open circuit has refused',
        attributes,
      };
    }
  }

  healthChecks(): readonly HealthCheck[] {
    return [...this.#circuits.values()].map(({ circuit, attributes }) => {
      const of = Object.values(attributes).join(' ');
      return {
        name: `grpc circuit ${of}`,
        affects: 'ready',
        check() {
          if (circuit.isRefusing) {
            throw new Error(`grpc: the circuit to ${of} is open: too many calls failed`);
          }
        },
      };
    });
  }

  #circuitOf({ target, method }: OutgoingCall): KeptCircuit {
    const isOfMethod = this.#rules.per === 'method';
    const key = isOfMethod ? `${target} ${method.fullName}` : target;
    let kept = this.#circuits.get(key);
    if (kept === undefined) {
      const attributes = isOfMethod ? { target, method: method.fullName } : { target };
      kept = { circuit: new Circuit(this.#rules), attributes };
      this.#circuits.set(key, kept);
    }
    return kept;
  }

  #verdict({ code, cancelled }: CallOutcome): CallVerdict {
    if (this.#rules.failures.has(code)) return 'fails';
    return cancelled ? 'nothing' : 'works';
  }
}

function refusal({ method, target }: OutgoingCall): StatusError {
  const cause = new Error(`grpc: ${method.fullName} at ${target}: the circuit is open`);
  return new StatusError(
    Code.UNAVAILABLE,
    'the circuit is open: too many calls failed; try again later',
    { cause },
  );
}
