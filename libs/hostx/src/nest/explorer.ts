import {
  CLOSE_LAST,
  type CloseLast,
  Mistakes,
  RELOADABLE,
  type Reloadable,
  TEMPLATE_LOG,
  type TemplateLog,
  WORK_SCOPE,
  type WorkScope,
} from '@apix/contracts';
import { hasMark, readOptions } from '@apix/contracts/internal';
import { Logger } from '@nestjs/common';
import type { DiscoveryService, ModulesContainer } from '@nestjs/core';
import { Configuration } from '../config/configuration.js';
import type { HostBuilder } from '../host/host-builder.js';
import { nestLogger } from '../log/adapters.js';
import type { HostLogger } from '../log/host-logger.js';
import { parentLink } from '../processes/parent-link.js';
import type { Hosted, Service } from '../service.js';
import {
  APP_ATTACHMENT,
  type AppAttachment,
  HOST_EXTENSION,
  type HostExtension,
} from './host-extension.js';
import { markedMethods, TASK_OPTIONS, type TaskMark, type TaskPhase } from './hook.decorators.js';
import { isSingleton } from './optional-provider.js';
import { HOSTED_SERVICE, type HostedServiceOptions } from './hosted-service.decorator.js';

/** The name under which the host logs. */
const CONTEXT = 'Host';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];

/**
 * Everything of an app that concerns the host, each instance once, in the order in which Nest
 * initialises: the modules farthest from the root first, inside a module the order of its
 * providers, controllers last.
 */
export class HostExplorer {
  /** The mistakes of the hosted classes; a host must not be built while there are any. */
  readonly mistakes: readonly string[];
  readonly #instances: readonly object[];

  constructor(modules: ModulesContainer) {
    const mistakes: string[] = [];
    const instances = new Set<object>();
    const ordered = [...modules.values()].toSorted((a, b) => b.distance - a.distance);
    for (const module of ordered) {
      for (const wrapper of [...module.providers.values(), ...module.controllers.values()]) {
        const instance = singletonOf(wrapper, mistakes);
        if (instance !== null) instances.add(instance);
      }
    }
    this.mistakes = mistakes;
    this.#instances = [...instances];
    for (const { mark } of this.#methods()) {
      if (mark.kind === 'task') mistakes.push(...taskMistakes(mark));
    }
    for (const instance of instances) {
      const options = hostedOptions(instance.constructor);
      if (options === undefined || typeof (instance as Hosted).start === 'function') continue;
      mistakes.push(
        `service ${options.name}: ${instance.constructor.name} must have a method start, ` +
          'which runs until its signal aborts',
      );
    }
  }

  attachments(): AppAttachment[] {
    return this.#marked<AppAttachment>(APP_ATTACHMENT);
  }

  scopes(): WorkScope[] {
    return this.#marked<WorkScope>(WORK_SCOPE);
  }

  closers(): CloseLast[] {
    return this.#marked<CloseLast>(CLOSE_LAST);
  }

  /** Of the hosted classes. */
  serviceNames(): string[] {
    return this.#instances.flatMap(({ constructor }) => hostedOptions(constructor)?.name ?? []);
  }

  /** The default logger of the host: that of the app, or else Nest's. */
  logger(): HostLogger {
    const log = this.#marked<TemplateLog>(TEMPLATE_LOG).at(-1);
    return log?.loggerFor(CONTEXT) ?? nestLogger(new Logger(), CONTEXT);
  }

  /** Adds the startup tasks of a phase. */
  addTasks(builder: HostBuilder, phase: TaskPhase): void {
    for (const { instance, method, mark } of this.#methods()) {
      if (mark.kind === 'task' && (mark.options.phase ?? 'afterInit') === phase) {
        const run = (signal: AbortSignal): unknown => call(instance, method, [signal]);
        const link = mark.options.once === true ? parentLink() : null;
        builder.addStartupTask(
          mark.name,
          link === null ? run : (signal) => link.runOnce(mark.name, () => run(signal)),
        );
      }
    }
  }

  /** Adds the scopes, services, extensions, reloadables and hooks. */
  addServicesAndHooks(builder: HostBuilder): void {
    for (const scope of this.scopes()) builder.withWorkScope(scope);
    for (const instance of this.#instances) {
      const options = hostedOptions(instance.constructor);
      if (options !== undefined) addHosted(builder, instance, options);
      if (hasMark(instance, HOST_EXTENSION)) (instance as HostExtension).extend(builder);
    }
    // The others may take their new settings from the configuration.
    const isConfiguration = (one: object): number => Number(one instanceof Configuration);
    const reloadables = this.#marked<Reloadable>(RELOADABLE).toSorted(
      (a, b) => isConfiguration(b) - isConfiguration(a),
    );
    for (const reloadable of reloadables) {
      builder.onReload(() => reloadable.reload(), reloadable.name);
    }
    for (const { instance, method, mark } of this.#methods()) {
      const name = `${instance.constructor.name}.${String(method)}`;
      const run = (...told: readonly unknown[]): unknown => call(instance, method, told);
      switch (mark.kind) {
        case 'started':
          builder.onStarted(run, name);
          break;
        case 'stopping':
          builder.onStopping(run, name);
          break;
        case 'stopped':
          builder.onStopped(run, name);
          break;
        case 'reload':
          builder.onReload(run, name);
          break;
        case 'task':
          break;
      }
    }
  }

  #marked<T extends object>(mark: symbol): T[] {
    return this.#instances.filter((instance) => hasMark(instance, mark)) as T[];
  }

  #methods() {
    return this.#instances.flatMap((instance) =>
      markedMethods(instance).map((marked) => ({ instance, ...marked })),
    );
  }
}

function taskMistakes({ name, options }: TaskMark): readonly string[] {
  const mistakes = new Mistakes();
  mistakes.under(`startup task ${name}`, (inner) => readOptions(TASK_OPTIONS, options, '', inner));
  return mistakes.found;
}

function hostedOptions(type: unknown): HostedServiceOptions | undefined {
  return typeof type === 'function'
    ? (Reflect.getMetadata(HOSTED_SERVICE, type) as HostedServiceOptions | undefined)
    : undefined;
}

/** The one instance behind a wrapper; null for aliases and whatever is not made once. */
function singletonOf(wrapper: Wrapper, mistakes: string[]): object | null {
  if (wrapper.isAlias) return null;
  if (!isSingleton(wrapper)) {
    const options = hostedOptions(wrapper.metatype);
    if (options !== undefined) {
      mistakes.push(
        `service ${options.name}: must be a singleton, but ${wrapper.name} is request- or ` +
          'transient-scoped, or depends on such a provider',
      );
    }
    return null;
  }
  const instance: unknown = wrapper.instance;
  const isObject = typeof instance === 'object' && instance !== null;
  return isObject && typeof instance.constructor === 'function' ? instance : null;
}

function addHosted(builder: HostBuilder, instance: object, options: HostedServiceOptions): void {
  const hosted = instance as Hosted;
  const { name, ...others } = options;
  const service: Service = {
    name,
    start: (signal, context) => hosted.start(signal, context),
  };
  if (hosted.stop !== undefined) service.stop = (deadline) => hosted.stop!(deadline);
  if (hosted.beginDrain !== undefined) service.beginDrain = (how) => hosted.beginDrain!(how);
  if (hosted.ready !== undefined) service.ready = () => hosted.ready!();
  builder.addService(service, others);
}

function call(instance: object, method: string | symbol, told: readonly unknown[]): unknown {
  return (instance as Record<string | symbol, (...told: unknown[]) => unknown>)[method]!(...told);
}
