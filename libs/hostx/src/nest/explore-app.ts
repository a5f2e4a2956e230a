import { mistakesText, thrownText } from '@apix/contracts';
import type { ModulesContainer } from '@nestjs/core';
import { HostError, mistakenIn } from '../errors.js';
import { Host, type HostBuilder } from '../host/host-builder.js';
import type { Service } from '../service.js';
import { HostExplorer } from './explorer.js';
import { type HostxModuleOptions, hostxMistakes } from './hostx-options.js';

/**
 * Finds everything in an app that concerns the host, before any of it runs.
 *
 * @param about as for {@link hostxMistakes}
 * @param addRest adds further parts of the host; called only if something is wrong
 * @throws HostError that lists the mistakes in options and hosted classes and, if there are any, also those
 *   that would have kept the host from being built.
 */
export function exploreApp(
  modules: ModulesContainer,
  options: HostxModuleOptions,
  about: Parameters<typeof hostxMistakes>[1],
  addRest: (builder: HostBuilder) => void,
): HostExplorer {
  const explorer = new HostExplorer(modules);
  const inOptions = hostxMistakes(options, about);
  if (inOptions.length === 0 && explorer.mistakes.length === 0) return explorer;
  const others = [...explorer.mistakes, ...buildMistakes(explorer, addRest)];
  if (inOptions.length === 0) throw mistakenIn('the host cannot be built')(others);
  const mistakes = [...inOptions, ...others];
  throw new HostError(mistakesText('hostx', mistakes), { mistakes });
}

/** Takes the place of a service that is not made yet, so that others may name it. */
export function placeOf(name: string): Service {
  return { name, start: () => {} };
}

/** The mistakes of a host with all parts that were found. */
function buildMistakes(
  explorer: HostExplorer,
  addRest: (builder: HostBuilder) => void,
): readonly string[] {
  const builder = Host.builder();
  try {
    explorer.addTasks(builder, 'beforeInit');
    explorer.addTasks(builder, 'afterInit');
    explorer.addServicesAndHooks(builder);
    addRest(builder);
    builder.build();
    return [];
  } catch (error) {
    return error instanceof HostError && error.mistakes.length > 0
      ? error.mistakes
      : [thrownText(error)];
  }
}
