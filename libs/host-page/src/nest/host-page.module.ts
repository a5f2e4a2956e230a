import { type ModuleExtras, optionsModule } from '@apix/contracts/internal-nest';
import { anyValue, checkedOptions, FLAG, STRING, withDefault } from '@apix/contracts/internal';
import { type CanActivate, type DynamicModule, Module, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ACTION_NAMES, byAction } from '../actions/page-action.js';
import { type HostPageOptions, mistakesInPage } from '../host-page-options.js';
import {
  HOST_PAGE_ABILITIES,
  HOST_PAGE_OPTIONS,
  HostPage,
  type HostPageAbilities,
} from './host-page.js';
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
  /**
   * Decides who may have all processes of the app replaced by a button of the page, besides `guard`; several must all
   * agree. Default: none, and there is no button.
   */
  readonly restart?: Guard | readonly Guard[];
  /**
   * Decides who may run a job now, besides `guard`; several must all agree. Default: none, and there is no
   * button.
   */
  readonly runJob?: Guard | readonly Guard[];
  /**
   * Decides who may have one service stopped and started again, besides `guard`; several must all agree.
   * Default: none, and there is no button.
   */
  readonly restartService?: Guard | readonly Guard[];
  /**
   * Decides who may change the minimum level of a logger for a while, besides `guard`; several must all agree.
   * Default: none, and there is no such form.
   */
  readonly changeLevel?: Guard | readonly Guard[];
  /** Lets everyone who reaches the port see the page. Default: false. */
  readonly public?: boolean;
}

export interface HostPageModuleOptions extends HostPageOptions, HostPageAccess {
  /** Modules whose providers the guard needs. Default: none. */
  readonly imports?: DynamicModule['imports'];
  /** Whether it is registered for the whole app; it exports nothing. Default: true. */
  readonly isGlobal?: boolean;
}

interface HostPageExtras extends HostPageAccess, ModuleExtras {
  readonly imports?: DynamicModule['imports'];
}

const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } = optionsModule<
  HostPageOptions,
  'createHostPageOptions',
  HostPageExtras
>({
  name: 'host-page: HostPageModule',
  token: HOST_PAGE_OPTIONS,
  factoryMethod: 'createHostPageOptions',
  extras: ['path', 'guard', 'decorators', 'public', 'restart', ...ACTION_NAMES, 'imports'],
  define: (definition, { decorators = [], imports = [], isGlobal, ...access }) => {
    const { path, guard, restart } = access;
    const actions = byAction((name) => access[name]);
    const resolved = resolveAccess({ path, guard, restart, public: access.public, ...actions });
    return {
      ...definition,
      global: isGlobal ?? true,
      imports: [...(definition.imports ?? []), ...imports],
      controllers: [hostPageController({ ...resolved, decorators })],
      providers: [
        ...(definition.providers ?? []),
        {
          provide: HOST_PAGE_ABILITIES,
          useValue: {
            restart: resolved.restart.length > 0,
            ...byAction((name) => resolved.actions[name].length > 0),
          } satisfies HostPageAbilities,
        },
      ],
    };
  },
});

/**
 * Serves a page about the host from the app's HTTP server, on Express or Fastify:
 * services, health checks, jobs, last events, memory and loop delay, live; of several processes all, which it can
 * have replaced. Needs HostxModule.
 *
 * @throws OptionsError without a guard, unless the page is `public`.
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

const ACCESS = {
  path: withDefault(STRING, 'host'),
  guard: anyValue<Guard | readonly Guard[]>(),
  restart: anyValue<Guard | readonly Guard[]>(),
  ...byAction(() => anyValue<Guard | readonly Guard[]>()),
  public: withDefault(FLAG, false),
};

/** @throws OptionsError that lists every mistake. */
function resolveAccess(access: { readonly [K in keyof typeof ACCESS]: unknown }) {
  const read = checkedOptions(ACCESS, access, mistakesInPage, (given, mistakes) => {
    if (trimmed(given.path) === '') {
      mistakes.add('path', 'must not be empty: the page would take every path');
    }
    const isGuarded = guardsOf(given.guard).length > 0;
    if (isGuarded && given.public) mistakes.add('public', 'excludes guard; set one of them');
    // Why: docs/decisions/0062
    if (isGuarded || given.public) return;
    mistakes.add('guard', 'is required, or anyone could see the page; public: true allows that');
  });
  return {
    path: trimmed(read.path),
    guards: guardsOf(read.guard),
    restart: guardsOf(read.restart),
    actions: byAction((name) => guardsOf(read[name])),
  };
}

function guardsOf(guard: HostPageAccess['guard']): readonly Guard[] {
  return [guard ?? []].flat();
}

function trimmed(path: string): string {
  return path.replaceAll(/^\/+|\/+$/g, '');
}
