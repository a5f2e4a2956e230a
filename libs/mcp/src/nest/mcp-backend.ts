import type { CallServer, InProcessServer } from '@apix/calls';
import {
  IN_PROCESS_SERVER,
  ACCESS_SOURCE,
  type AccessSource,
  type CallerAccess,
  type MethodAccess,
} from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { McpConfigError } from '../errors.js';
import type { ToolServer } from '../http/tool-service.js';

interface FoundBackend {
  readonly server: CallServer;
  readonly access: AccessSource | undefined;
}

/** What the app has: the gRPC server that calls go to, and who says what callers may call. */
@Injectable()
export class McpBackend implements ToolServer {
  private found: FoundBackend | undefined;

  constructor(@Inject(DiscoveryService) private readonly discovery: DiscoveryService) {}

  readonly server = (): CallServer => this.find().server;

  readonly access = (): AccessSource | undefined => this.find().access;

  /** @throws McpConfigError if there is no server to call. */
  find(): FoundBackend {
    return (this.found ??= this.discover());
  }

  private discover(): FoundBackend {
    const [server] = discoverMarked<InProcessServer>(this.discovery, IN_PROCESS_SERVER);
    if (server === undefined) {
      throw new McpConfigError(['no gRPC server to call: import GrpcModule into this app']);
    }
    return { server, access: allOf(discoverMarked<AccessSource>(this.discovery, ACCESS_SOURCE)) };
  }
}

/** What all sources allow; undefined if there are none. */
function allOf(sources: readonly AccessSource[]): AccessSource | undefined {
  const [first, ...others] = sources;
  if (first === undefined || others.length === 0) return first;
  return {
    accessOf: async (call) => {
      const all = await Promise.all(sources.map(async (source) => source.accessOf(call)));
      return strictest(all);
    },
  };
}

function strictest(all: readonly CallerAccess[]): CallerAccess {
  return {
    caller: all.find(({ caller }) => caller !== undefined)?.caller,
    isAnonymous: all.every(({ isAnonymous }) => isAnonymous),
    of: (name): MethodAccess => {
      const found = new Set(all.map((each) => each.of(name)));
      if (found.has('denied')) return 'denied';
      return found.has('undecided') ? 'undecided' : 'allowed';
    },
  };
}
