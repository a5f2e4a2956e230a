import { MethodSamples, type SampleCall, type SampledMethod } from '@apix/contracts/internal';
import type { ProtoRegistry } from '@apix/proto';
import { callMethodOf, fullMethodName } from '@apix/proto/core';
import type { DescMethod } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Gateway } from '../http/gateway.js';
import { sampleCalls } from '../openapi/samples/sample-calls.js';
import { takesRequestStream } from '../rules/binding.js';
import {
  GATEWAY_OPTIONS,
  GATEWAY_PROTOS,
  type GatewayModuleOptions,
} from './gateway-module-options.js';

/** Sample requests for the methods that the gateway serves from the app's HTTP server. */
@Injectable()
@MethodSamples()
export class GatewaySamples implements MethodSamples {
  constructor(
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayModuleOptions,
    @Inject(GATEWAY_PROTOS) private readonly protos: ProtoRegistry,
    @Inject(Gateway) private readonly gateway: Gateway,
  ) {}

  methods(): SampledMethod[] {
    // With a port of its own it has another origin than the app.
    if (this.options.port !== undefined) return [];
    return [...this.#served()].map((method) => {
      const { fullName, kind } = callMethodOf(method);
      return { method: fullName, kind };
    });
  }

  samplesOf(fullName: string): SampleCall[] {
    const method = [...this.#served()].find((one) => fullMethodName(one) === fullName);
    return method === undefined ? [] : sampleCalls(method, this.gateway, this.protos, this.options);
  }

  /** Those that a browser can call in some way. */
  *#served(): Iterable<DescMethod> {
    const { bindings, methods, protocols } = this.gateway;
    const byName = new Set(protocols.has('connect') || protocols.has('grpc-web') ? methods : []);
    const plain = bindings.filter((binding) => !takesRequestStream(binding));
    const byRule = new Set(plain.map(({ method }) => method));
    for (const service of this.protos.services) {
      for (const method of service.methods) {
        if (byName.has(method) || byRule.has(method)) yield method;
      }
    }
  }
}
