import { type DescriptorSource, ProtoRegistry } from '@apix/proto/core';
import type { AuthorizerOptions } from '../decide/authorizer-options.js';
import { Authorizer } from '../decide/authorizer.js';
import type { Subject } from '../subject/subject.js';
import { type PolicyAnswer, startGuardedServer } from './guarded-server.js';

/** The caller in a test; its lists may be left out. Null: an anonymous caller. */
export type TestCaller = Partial<Subject> | null;

export interface PolicyServerOptions extends Omit<AuthorizerOptions, 'subject'> {
  /** The descriptors whose policies are tested. Required. */
  readonly descriptors: DescriptorSource | readonly DescriptorSource[];
}

/** A real gRPC server that accepts every call that the policies let in. */
export interface PolicyServer {
  readonly authorizer: Authorizer;
  /** `host:port`, for clients of your own; who calls is then anonymous. */
  readonly address: string;
  /** Calls a method of any kind, over the network, as somebody. */
  call(fullMethodName: string, as: TestCaller): Promise<PolicyAnswer>;
  close(): void;
}

const CALLER = 'x-test-caller';

/**
 * Starts a gRPC server on a free port of the loopback interface that serves every method of the
 * descriptors, guarded by their policies, so that a table of who may call what is tested through the real
 * entry point. Callers are trusted to say who they are: never expose this server.
 */
export async function startPolicyServer(options: PolicyServerOptions): Promise<PolicyServer> {
  const { descriptors, ...authz } = options;
  const registry = ProtoRegistry.load(descriptors);
  const authorizer = new Authorizer(registry, {
    ...authz,
    subject: ({ metadata }) => callerOf(metadata.get(CALLER)[0]),
  });
  const server = await startGuardedServer(registry, authorizer);
  return {
    authorizer,
    address: server.address,
    call: (fullName, as) => server.call(fullName, as === null ? {} : { [CALLER]: textOf(as) }),
    close: () => server.close(),
  };
}

function textOf(caller: Partial<Subject>): string {
  return JSON.stringify({ roles: [], permissions: [], ...caller });
}

function callerOf(text: string | undefined): Subject | null {
  return text === undefined ? null : (JSON.parse(text) as Subject);
}
