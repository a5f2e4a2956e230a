import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type GqlContextType, GqlExecutionContext } from '@nestjs/graphql';

/** The team's own guard: a key for what is marked with `@Staff()`, whatever the entry point. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (!this.reflector.get<boolean>('staff', context.getHandler())) return true;
    return keyOf(context) === 'open-sesame';
  }
}

function keyOf(context: ExecutionContext): unknown {
  switch (context.getType<GqlContextType>()) {
    case 'http':
      return context.switchToHttp().getRequest().headers['x-api-key'];
    case 'graphql':
      return GqlExecutionContext.create(context).getContext().req?.headers['x-api-key'];
    case 'ws':
      return context.switchToWs().getClient().handshake.headers['x-api-key'];
    case 'rpc': {
      const metadata = context.switchToRpc().getContext();
      return metadata?.get?.('x-api-key')?.[0];
    }
    default:
      return undefined;
  }
}
