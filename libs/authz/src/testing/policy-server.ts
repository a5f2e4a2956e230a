import { type DescriptorSource, ProtoRegistry } from '@apix/proto/core';
import {
  type DescMethod,
  fromJson,
  type JsonValue,
  type Message,
  toBinary,
} from '@bufbuild/protobuf';
import { type ListFilter, mayList } from '../cel/filter/list-filter.js';
import type { ResourceLoad } from '../conditions/resource-load.js';
import type { AuthorizerOptions } from '../decide/authorizer-options.js';
import { Authorizer } from '../decide/authorizer.js';
import type { Subject } from '../subject/subject.js';
import { type PolicyAnswer, startGuardedServer } from './guarded-server.js';

/** The caller in a test; its lists may be left out. Null: an anonymous caller. */
export type TestCaller = Partial<Subject> | null;

export interface PolicyServerOptions extends Omit<AuthorizerOptions, 'subject'> {
  /** The descriptors whose policies are tested. Required. */
  readonly descriptors: DescriptorSource | readonly DescriptorSource[];
  /**
   * The records that conditions read, in JSON: by the full name of their message, and by the name in requests, such
   * as `{ 'shop.v1.Order': { 'orders/1': { customer: 'ada' } } }`. Lists show them too. Default: none, or those of
   * `loaders`.
   */
  readonly records?: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
  /**
   * What methods answer, in JSON, by full name: `answer` of the result is then what the caller gets of it. Default: empty
   * messages.
   */
  readonly answers?: Readonly<Record<string, JsonValue>>;
}

/** A real gRPC server that accepts every call that the policies let in. */
export interface PolicyServer {
  readonly authorizer: Authorizer;
  /** `host:port`, for clients of your own; who calls is then anonymous. */
  readonly address: string;
  /**
   * Calls a method of any kind, over the network, as somebody.
   *
   * @param request in JSON. Default: empty.
   */
  call(fullMethodName: string, as: TestCaller, request?: JsonValue): Promise<PolicyAnswer>;
  close(): void;
}

const CALLER = 'x-test-caller';

/**
 * Starts a gRPC server on a free port of the loopback interface that serves every method of the
 * descriptors, guarded by their policies, so that a table of who may call what is tested through the real
 * entry point. Callers are trusted to say who they are: never expose this server.
 */
export async function startPolicyServer(options: PolicyServerOptions): Promise<PolicyServer> {
  const { descriptors, records = {}, answers = {}, ...authz } = options;
  const registry = ProtoRegistry.load(descriptors);
  const authorizer = new Authorizer(registry, {
    ...authz,
    loaders: { ...loadersOf(registry, records), ...authz.loaders },
    subject: ({ metadata }) => callerOf(metadata.get(CALLER)[0]),
  });
  const given = answersOf(registry, answers);
  const server = await startGuardedServer(registry, authorizer, undefined, {
    listedNames: (filter) => namesListed(records, filter),
    answerOf: (method) => given.get(method),
  });
  return {
    authorizer,
    address: server.address,
    call: async (fullName, as, request = {}) => {
      const headers: Record<string, string> = as === null ? {} : { [CALLER]: textOf(as) };
      const input = registry.method(fullName)?.input;
      const bytes = input && toBinary(input, fromJson(input, request));
      return server.call(fullName, headers, bytes);
    },
    close: () => server.close(),
  };
}

/** @throws Error for a method that the descriptors do not have, and for JSON that is not its answer. */
function answersOf(
  registry: ProtoRegistry,
  answers: NonNullable<PolicyServerOptions['answers']>,
): ReadonlyMap<DescMethod, Message> {
  const read = Object.entries(answers).map(([name, json]) => {
    const method = registry.method(name);
    if (method === undefined)
      throw new Error(`authz: answers: the descriptors have no method ${name}`);
    return [method, fromJson(method.output, json, { registry: registry.registry })] as const;
  });
  return new Map(read);
}

function loadersOf(
  { registry }: ProtoRegistry,
  records: NonNullable<PolicyServerOptions['records']>,
): Record<string, ResourceLoad> {
  const loaders = Object.entries(records).map(([type, byName]) => {
    const desc = registry.getMessage(type);
    const load: ResourceLoad = (name) =>
      desc !== undefined && Object.hasOwn(byName, name) ? fromJson(desc, byName[name]!) : null;
    return [type, load] as const;
  });
  return Object.fromEntries(loaders);
}

function namesListed(
  records: NonNullable<PolicyServerOptions['records']>,
  filter: ListFilter,
): string[] {
  return Object.entries(records[filter.desc.typeName] ?? {})
    .filter(([, json]) => mayList(filter, fromJson(filter.desc, json)))
    .map(([name]) => name);
}

function textOf(caller: Partial<Subject>): string {
  return JSON.stringify({ roles: [], permissions: [], ...caller });
}

function callerOf(text: string | undefined): Subject | null {
  return text === undefined ? null : (JSON.parse(text) as Subject);
}
