import {
  type CanActivate,
  ConfigurableModuleBuilder,
  type DynamicModule,
  Module,
  type Type,
} from '@nestjs/common';
import { Mistakes } from '@apix/contracts';
import { DiscoveryModule } from '@nestjs/core';
import { mistakenIn } from '../../errors.js';
import type { HostPageOptions } from '../../page/host-page-options.js';
import { HOST_PAGE_OPTIONS } from '../tokens.js';
import { HostPage } from './host-page.js';
import { hostPageController } from './host-page.controller.js';

type Guard = Type<CanActivate> | CanActivate;

/** The path of the page and who may see it. With `forRootAsync` they are given next to `useFactory`. */
export interface HostPageAccess {
  /** Below the app's global prefix. Default: 'host'. */
  readonly path?: string;
  /**
   * Decides who may see the page, its files and its stream; several must all agree. A browser
   * sends no bearer token with them, but cookies, basic authentication and client certificates.
   */
  readonly guard?: Guard | readonly Guard[];
  /**
   * Put on the page's controller, for guards that read them, such as `@DefaultRequires` of
   * @apix/authz. Default: none.
   */
  readonly decorators?: readonly ClassDecorator[];
  /** Lets everyone who reaches the port see the page. Default: false. */
  readonly public?: boolean;
}

export interface HostPageModuleOptions extends HostPageOptions, HostPageAccess {
  /** Modules whose providers the guard needs. Default: none. */
  readonly imports?: DynamicModule['imports'];
  /** Whether it is registered for the whole app; it exports nothing. Default: true. */
  readonly isGlobal?: boolean;
}

interface HostPageExtras extends HostPageAccess {
  readonly imports?: DynamicModule['imports'];
  readonly isGlobal?: boolean;
}

const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<HostPageOptions>({ optionsInjectionToken: HOST_PAGE_OPTIONS })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createHostPageOptions')
    .setExtras<HostPageExtras>(
      { isGlobal: true },
      (definition, { decorators = [], imports = [], isGlobal, ...access }) => {
        const { path, guards } = resolveAccess(access);
        return {
          ...definition,
          global: isGlobal ?? true,
          imports: [...(definition.imports ?? []), ...imports],
          controllers: [hostPageController(path, guards, decorators)],
        };
      },
    )
    .build();

/**
 * Serves a read-only page about the host from the app's HTTP server, on Express or Fastify:
 * services, health checks, jobs, last events, memory and loop delay, live. Needs HostxModule.
 *
 * @throws HostError without a guard, unless the page is `public`.
 */
@Module({ imports: [DiscoveryModule], providers: [HostPage] })
export class HostPageModule extends ConfigurableModuleClass {
  static override forRoot(options: HostPageModuleOptions & typeof OPTIONS_TYPE): DynamicModule {
    return super.forRoot(options);
  }

  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }
}

/** @throws HostError that lists every mistake. */
function resolveAccess({ path = 'host', guard, public: isPublic = false }: HostPageAccess) {
  const mistakes = new Mistakes();
  const trimmed = path.replaceAll(/^\/+|\/+$/g, '');
  if (trimmed === '') mistakes.add('path', 'must not be empty: the page would take every path');
  const guards = [guard ?? []].flat();
  if (guards.length > 0 && isPublic) mistakes.add('public', 'excludes guard; set one of them');
  // Why: docs/decisions/0063
  if (guards.length === 0 && !isPublic) {
    mistakes.add('guard', 'is required, or anyone could see the page; public: true allows that');
  }
  mistakes.throwIfAny(mistakenIn('page'));
  return { path: trimmed, guards };
}
