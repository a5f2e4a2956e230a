import type { AppFacts } from './app-facts.js';

/** What ApixModule may import. */
export type Part = 'proto' | 'logx' | 'authz' | 'hostx' | 'grpc' | 'gateway';

/** In the order of the imports of ApixModule, which is also the one in which a part needs those before it. */
export const PARTS: Readonly<Record<Part, string>> = {
  proto: 'ProtoModule',
  logx: 'LogxModule',
  authz: 'AuthzModule',
  hostx: 'HostxModule',
  grpc: 'GrpcModule',
  gateway: 'GatewayModule',
};

export const ALL_PARTS = Object.keys(PARTS) as readonly Part[];

const PROTOBUF = { '@bufbuild/protobuf': '^2.17.0' };
const GRPC = { '@grpc/grpc-js': '^1.14.6' };

/** The packages of others that a part needs in the app, with their ranges. */
export function peersOf(
  part: Part,
  { nestMajor }: Pick<AppFacts, 'nestMajor'>,
): Record<string, string> {
  const microservices = {
    '@nestjs/microservices': nestMajor === 11 ? '^11.1.4' : '^12.0.4',
  };
  return {
    proto: PROTOBUF,
    logx: {},
    authz: { ...PROTOBUF, jose: '^6.0.0' },
    hostx: {},
    grpc: { ...PROTOBUF, ...GRPC, ...microservices },
    gateway: { ...PROTOBUF, ...GRPC },
  }[part];
}
